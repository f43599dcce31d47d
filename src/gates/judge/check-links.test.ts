import { describe, expect, it } from 'vitest';
import { scratch } from '../../../test/scratch.ts';
import { workMeter } from '../../../test/work-meter.ts';
import { existsAmong } from '../gate/exists-among.ts';
import { gateContext } from '../gate/gates.fixture.ts';
import { checkLinks } from './check-links.ts';

/** What is said of the links of one document in a tree with others. */
async function links(text: string, others: Record<string, string> = {}, file = 'docs/a.md'): Promise<string[]> {
  const { tree } = await gateContext(scratch({ [file]: text, ...others }));
  const source = {
    read: (path: string, limit: number) => tree.read(path, limit),
    exists: existsAmong(tree.files.map(({ path }) => path)),
  };
  const findings = await checkLinks([file], source);
  expect(findings.every(({ check }) => check === 'links')).toBe(true);
  return findings.map(
    ({ severity, message, location }) => `${location?.line}:${location?.column} ${severity} ${message}`,
  );
}

describe('a relative link', () => {
  it('leads to a file or folder of the tree, from where the document lies', async () => {
    const others = { 'docs/b.md': '', 'docs/img/c d.png': '', 'src/e.ts': '' };
    const text =
      '[b](b.md) [b](./b.md?plain=1) ![c](img/c%20d.png) ![c](<img/c d.png>) [e](../src/e.ts#L3) [s](../src/) [r](/src/e.ts) [up](..)\n';
    expect(await links(text, others)).toEqual([]);
  });

  it('that leads nowhere is an error, with its place', async () => {
    const text = '# A\n\nSee [one](b.md), then\n![two](img/x.png) and [three](b.md).\n\n- [four]( ../c/d.md "t" )\n';
    expect(await links(text)).toEqual([
      '3:11 error b.md leads nowhere: there is no docs/b.md',
      '4:8 error img/x.png leads nowhere: there is no docs/img/x.png',
      '4:31 error b.md leads nowhere: there is no docs/b.md',
      '6:11 error ../c/d.md leads nowhere: there is no c/d.md',
    ]);
  });

  it('is also looked for in tables, quotes, headings, HTML and links by reference', async () => {
    const text = [
      '## See [h](h.md)',
      '',
      '| a | b |',
      '|---|---|',
      '| x | [t](t.md) |',
      '',
      '> [q](q.md)',
      '',
      '<p><a class="x" href="p.md">p</a></p>',
      '',
      'An <img src="i.png"> here, and [r][ref].',
      '',
      '[ref]: r.md',
      '',
    ].join('\n');
    expect((await links(text)).map((line) => line.split(' ')[2])).toEqual([
      'h.md',
      't.md',
      'q.md',
      'p.md',
      'i.png',
      'r.md',
    ]);
  });

  it('in code, comments and front matter is none', async () => {
    const text =
      '---\nsee: "[x](f.md)"\n---\n\n`[a](b.md)`\n\n```md\n[a](b.md)\n```\n\n    [a](b.md)\n\n<!-- [a](b.md) <a href="c.md"> -->\n\n\\[a](b.md)\n';
    expect(await links(text)).toEqual([]);
  });

  it('to an address or to what a template fills in is not looked at', async () => {
    const text =
      '[a](https://x.test/none) <https://x.test> [m](mailto:a@b.test) [p](//x.test/y) ![d](data:image/png;base64,AA) [t]({{url}}/x.md)\n';
    expect(await links(text)).toEqual([]);
  });

  it('may name a page as it will be called', async () => {
    expect(await links('[b](b) [b](b.html) [b](b/)\n', { 'docs/b.md': '' })).toEqual([]);
  });

  it('is compared with the case it has', async () => {
    expect(await links('[b](B.md)\n', { 'docs/b.md': '' })).toHaveLength(1);
  });

  it('out of the tree, or from the root of a site, is only a warning', async () => {
    expect(await links('[o](../../x.md)\n[r](/guide/x)\n')).toEqual([
      '1:5 warning ../../x.md leads out of what is judged, so it was not checked',
      '2:5 warning /guide/x leads nowhere: there is no guide/x',
    ]);
  });

  it('to nothing is an error', async () => {
    expect(await links('[a]()\n')).toEqual(['1:1 error the link leads nowhere']);
  });

  it('where it cannot be known what lies there is only a warning', async () => {
    const read = async () => Buffer.from('[b](b.md)');
    expect(await checkLinks(['a.md'], { read, exists: () => undefined })).toMatchObject([{ severity: 'warning' }]);
  });
});

describe('an anchor', () => {
  const target = {
    'docs/b.md': '# The *first* `one`!\n\n## Größe & Maß\n\n## Twice\n\n## Twice\n\n<a id="own"></a>\n\n## X {#y}\n',
  };

  it('is a heading of the document, of another one, or an id', async () => {
    const text =
      '# Über uns\n\n[u](#über-uns) [u](#%C3%BCber-uns) [t](#top) [f](b.md#the-first-one) [g](b.md#größe--maß) [t](b.md#twice-1) [o](b.md#own) [y](b.md#y) [L](b.md#L3)\n';
    expect(await links(text, target)).toEqual([]);
  });

  it('that is no heading is an error that names a near one', async () => {
    expect(await links('# Set up\n\n[s](#set-upp)\n[b](b.md#thrice)\n', target)).toEqual([
      '3:5 error docs/a.md has no heading #set-upp',
      '4:5 error docs/b.md has no heading #thrice',
    ]);
  });

  it('of a heading in code is none', async () => {
    expect(await links('[s](#set-up)\n\n```md\n# Set up\n```\n')).toHaveLength(1);
  });
});

describe('size', () => {
  it('of many broken links the first are shown', async () => {
    const found = await links('[a](x.md)\n'.repeat(500));
    expect([found.length, found.at(-1)]).toEqual([101, expect.stringMatching(/there may be more/)]);
  });

  it('a document that is too large or no text is not taken for checked', async () => {
    expect(await links(`${'x'.repeat(600_000)}`)).toEqual([
      expect.stringMatching(/warning the links of .* not checked/),
    ]);
  });

  it.each([
    ['links by reference on one line', `${'[r] '.repeat(30_000)}\n\n[r]: b.md\n`],
    ['brackets nobody closes', '['.repeat(100_000)],
    ['anchors and headings', Array.from({ length: 8000 }, (_, at) => `# h${at}\n[x](#h${at})\n`).join('\n')],
    ['attributes', `<p ${'id = '.repeat(100_000)}>\n`],
    ['comments', '<!-- '.repeat(100_000)],
  ])('%s take little time', async (_what, text) => {
    const work = workMeter();
    await links(text, { 'docs/b.md': '' });
    expect(work()).toBeLessThan(1000);
  });
});
