import { describe, expect, it } from 'vitest';
import type { Phase } from '../../domain/plan/plan.ts';
import type { Tree } from '../../ports/tree.ts';
import { checkPapers } from './check-papers.ts';

type Files = Readonly<Record<string, string>>;

function treeOf(files: Files): Tree {
  const listed = Object.entries(files).map(([path, text]) => ({ path, digest: text, size: text.length }));
  return {
    id: JSON.stringify(files),
    files: listed,
    problems: [],
    read: async (path: string) => bytes(files[path]),
  } as never;
}

const bytes = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text));

type Around = {
  type?: Phase['type'];
  outputs?: readonly string[];
  base?: Files;
  inputs?: readonly string[];
  whole?: boolean;
};

/** What is wrong with the papers of a phase, a line for each. */
async function faults(
  files: Files,
  { type = 'documentation', outputs = [], base = {}, inputs = [], whole = true }: Around,
) {
  const phase = { id: 'write', type, output: { directory: 'docs', files: outputs } } as never;
  const found = await checkPapers({ phase, tree: treeOf(files), base: treeOf(base), inputs, whole });
  return found.map(
    ({ severity, check, message, location }) =>
      `${severity} ${check} ${location?.file}:${location?.line ?? ''} ${message}`,
  );
}

describe('documents', () => {
  it('link to what is there, and name examples that are there', async () => {
    const files = {
      'docs/a.md': '[b](b.md) [top](../README.md)\n\n```sh\nnode examples/sum.js\n```\n',
      'docs/b.md': '# b\n',
      'README.md': '',
      'examples/sum.js': '',
    };
    expect(await faults(files, {})).toEqual([]);
  });

  it('that lead nowhere are sent back, with the place', async () => {
    expect(
      await faults({ 'docs/a.md': 'x\n\n[b](b.md)\n\n`examples/gone.py` and https://x.org/examples/far.js\n' }, {}),
    ).toEqual([
      'error links docs/a.md:3 b.md leads nowhere: there is no docs/b.md',
      'error examples docs/a.md:5 there is no examples/gone.py, which is named as an example',
    ]);
  });

  it('that led nowhere before are only told', async () => {
    const base = { 'docs/a.md': '[b](b.md)\n' };
    expect(await faults({ 'docs/a.md': '[b](b.md) more\n' }, { base })).toEqual([
      'warning links docs/a.md:1 b.md leads nowhere: there is no docs/b.md',
    ]);
    expect(await faults(base, { base })).toEqual([]);
  });

  it('of a phase with a directory of its own may name what nobody can see from there', async () => {
    const files = { 'docs/a.md': '[b](b.md) [c](../src/c.js) `examples/x.js` [d](../input/d.md)\n' };
    expect(await faults(files, { whole: false, inputs: ['input/d.md'] })).toEqual([
      'error links docs/a.md:1 b.md leads nowhere: there is no docs/b.md',
      'warning links docs/a.md:1 ../src/c.js leads nowhere: there is no src/c.js',
    ]);
  });

  it('of other phases are not looked at', async () => {
    expect(await faults({ 'docs/a.md': '[b](b.md)\n' }, { type: 'development' })).toEqual([]);
  });
});

const OUTPUTS = ['findings.md', 'sources.json'];
const SOURCE = { id: 'S1', title: 'RFC 4180', url: 'https://www.rfc-editor.org/rfc/rfc4180', accessed: '2026-11-20' };
const research = (findings: string, sources: unknown, more: Files = {}) =>
  faults(
    {
      'findings.md': findings,
      'sources.json': typeof sources === 'string' ? sources : JSON.stringify(sources),
      ...more,
    },
    { type: 'research', outputs: OUTPUTS },
  );

describe('research', () => {
  it('cites sources that say where they are and when they were read', async () => {
    const own = { id: 'S2', path: 'src/a.js', accessed: '2026-11-19T10:00:00Z' };
    expect(
      await research('Lines end in CRLF [S1], and here in LF [S1, S2].\n', [SOURCE, own], { 'src/a.js': '' }),
    ).toEqual([]);
    expect(await research('Lines end in CRLF [S1].\n', { sources: [SOURCE] })).toEqual([]);
  });

  it.each([
    ['no list', 'error sources sources.json: sources.json is no list of sources'],
    ['{"a":1}', 'error sources sources.json: sources.json is no list of sources'],
    [[], 'error sources sources.json: sources.json names no source'],
    [['RFC'], /source number 1 cannot be read/],
    [[{ ...SOURCE, url: undefined }], 'error sources sources.json: source S1 does not say where it is'],
    [[{ ...SOURCE, url: 'the web' }], 'error sources sources.json: source S1: the web is no address'],
    [[{ id: 'S1', path: 'gone.js', accessed: '2026-11-20' }], /source S1: there is no gone.js/],
    [[{ ...SOURCE, accessed: undefined }], 'error sources sources.json: source S1 does not say when it was read'],
    [[{ ...SOURCE, accessed: '2026-02-31' }], 'error sources sources.json: source S1 does not say when it was read'],
    [[SOURCE, SOURCE], 'error sources sources.json: two sources have the same id'],
  ])('is sent back with sources like %j', async (sources, fault) => {
    const [first] = await research('CRLF [S1].\n', sources);
    if (typeof fault === 'string') expect(first).toBe(fault);
    else expect(first).toMatch(fault);
  });

  it('that cites nothing, or what is not there, is sent back; code and links cite nothing', async () => {
    expect(await research('CRLF.\n\n```\n[S1]\n```\n[S1](x.md)\n', [SOURCE])).toEqual([
      'error sources findings.md: no claim in findings.md cites a source',
    ]);
    expect(await research('CRLF [S1]\nLF [S7] [x] [TODO]\n', [SOURCE, { ...SOURCE, id: 'S2' }])).toEqual([
      'error sources findings.md:2 [S7] is cited, and no source has that id',
      'warning sources findings.md: source S2 is cited nowhere',
    ]);
  });
});
