import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { BriefDocument } from '../src/domain/documents/documents.ts';
import { expectGolden } from './golden-brief.ts';
import { NO_CONSULTANT } from './human.ts';
import { Repository } from './repository.ts';

const ROOT = join(import.meta.dirname, '..');
const GERMAN = parse(readFileSync(join(ROOT, 'templates/de/brief.yaml'), 'utf8')) as Record<string, string>;
const SAID = /\b(?:say|phrase)\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\$]|\\.)*)`)/g;
const TAG = /\{%.*?%\}|\{\{.*?\}\}|\{\w+\}/g;

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending) && !path.endsWith('.test.ts'))
    .map((path) => join(folder, path));
}

/** Every sentence that the code says in a brief. */
const inCode = filesBelow('src', '.ts')
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .filter((source) => source.includes('text/say.ts'))
  .flatMap((source) => [...source.matchAll(SAID)])
  .map(([, single, double, tick]) => (single ?? double ?? tick ?? '').replaceAll(/\\(.)/g, '$1'));

/** Every line of a template that has words outside of its tags; what stands in a block of code stays as it is. */
function linesOf(template: string): string[] {
  const prose = template.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return prose
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\p{L}/u.test(line.replaceAll(TAG, '')));
}

const REJECTIONS = readFileSync(join(ROOT, 'src/engine/judge/send-back.ts'), 'utf8')
  .match(/= `[^`]+`/g)
  ?.flatMap((text) => linesOf(text.slice(3, -1).replace(/\$\{\w+\}/, '')));

const wanted = [
  ...new Set([
    ...inCode,
    ...filesBelow('templates', '.md')
      .filter((path) => !path.startsWith('templates/adr/'))
      .flatMap((path) => linesOf(readFileSync(join(ROOT, path), 'utf8'))),
    ...(REJECTIONS ?? []),
  ]),
];

describe('templates/de/brief.yaml', () => {
  it('has every sentence of a brief, and none that nobody says', () => {
    expect(wanted.length).toBeGreaterThan(100);
    expect(wanted.filter((words) => GERMAN[words] === undefined)).toEqual([]);
    expect(Object.keys(GERMAN).filter((words) => !wanted.includes(words))).toEqual([]);
  });

  it('puts in what the English sentence puts in', () => {
    const tags = (text: string) => (text.match(TAG) ?? []).sort();
    const differing = wanted.filter((words) => tags(GERMAN[words] ?? words).join() !== tags(words).join());
    expect(differing).toEqual([]);
  });
});

async function told(repository: Repository, phase: string): Promise<string> {
  const { stdout, stderr } = await repository.helix(['brief', phase, '--json']);
  expect(stderr).toBe('');
  return BriefDocument.parse(JSON.parse(stdout)).briefs[0]?.brief ?? '';
}

const ADR = { type: 'adr_complete', file: 'docs/adr/001.md', semantic: false };
const PHASES = [
  { id: 'plan', type: 'planning', output: ['docs/adr/001.md'], quality_gate: ADR },
  {
    id: 'fix',
    type: 'development',
    config: { focus: 'Umlaute', test_types: ['unit'] },
    output: ['src/export.js'],
    quality_gate: { type: 'tests_pass', command: ['sh', 'test.sh'], max_retries: 1 },
  },
  { id: 'check', type: 'review', input: { from_phase: 'fix' }, quality_gate: { type: 'review_approved' } },
];

describe('a brief in German', () => {
  it("is German in all that is HELIX's own, for a new phase, a second attempt and a review", async () => {
    const repository = new Repository({
      plan: { project: { name: 'summen' } },
      phases: PHASES.map((phase) => ({ ...phase, ...(phase.id === 'fix' && { depends_on: [] }) })),
      files: {
        ...NO_CONSULTANT,
        'request.md': 'Der CSV-Export verliert Umlaute. Behebe das.\n',
        'AGENTS.md': 'Zwei Leerzeichen, keine Tabs.\n',
        'spec.yaml': 'acceptance_criteria:\n  - Müller bleibt Müller.\n',
        'test.sh': 'echo "erwartet Müller, bekommen MÃ¼ller"; exit 1\n',
        'src/export.js': 'alt\n',
      },
      agent: 'mkdir -p src; echo neu > src/export.js',
      settings: { language: 'de' },
    });
    for (const phase of ['plan', 'check']) expectGolden(`german-${phase}`, await told(repository, phase));
    const { code, said } = await repository.run(['--phase', 'fix']);
    expect(code, said).toBe(3);
    expectGolden('german-second-attempt', await told(repository, 'fix'));
  });
});
