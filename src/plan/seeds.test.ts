import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadFiles, loadText, memoryProject, shown } from './memory-project.fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const SEEDS = join(ROOT, '../shared/seeds');
const TEMPLATES = join(ROOT, 'templates/project-types');

type Block = { readonly name: string; readonly text: string };

const blocks: readonly Block[] = existsSync(SEEDS) ? readdirSync(SEEDS).flatMap(plansIn) : [];

function plansIn(file: string): Block[] {
  const text = readFileSync(join(SEEDS, file), 'utf8');
  return [...text.matchAll(/^```ya?ml\n([\s\S]*?)^```/gm)]
    .map((match) => ({ name: `${file}:${text.slice(0, match.index).split('\n').length}`, text: match[1] ?? '' }))
    .filter((block) => /^phases:/m.test(block.text));
}

const isNotation = (block: Block): boolean => block.text.includes('type: string ');

describe.skipIf(!existsSync(SEEDS))('plans of the seeds', () => {
  it('are all found', () => {
    expect(blocks).toHaveLength(12);
    expect(blocks.filter(isNotation)).toHaveLength(1);
  });

  it.each(blocks.filter((block) => !isNotation(block)))('$name loads as it is, in a repository and elsewhere', async ({
    text,
  }) => {
    for (const git of [true, false]) {
      const files = { 'phases.yaml': text };
      const { plan, findings } = await loadFiles(files, {}, memoryProject(files, { git }));
      // They name skills and experts that nobody describes, which is only told.
      expect(shown(findings.filter(({ check }) => !/^unknown-(skill|expert)$/.test(check)))).toEqual([]);
      expect(plan?.workspace.mode).toBe(git ? 'repo' : 'phase-dirs');
    }
  });

  it("ADR-006's notation of the schema is no plan, and says why", async () => {
    const { plan, findings } = await loadText(blocks.find(isNotation)?.text ?? '');
    expect(plan).toBeUndefined();
    expect(shown(findings).map((line) => line.replace(/ \(known are.*/, ''))).toEqual([
      '5:9 warning: unknown project type "string"',
      '11:11 error: unknown phase type "string"',
      '17:23 error: "max_iterations" must be a number, not text (write a number such as 3)',
      '25:7 error: the key "template" stands here twice (keep one of them)',
      '29:7 error: the key "template" stands here twice (keep one of them)',
      '37:19 error: a phase cannot take its input from itself (name an earlier phase)',
      '45:13 error: unknown gate type "string"',
    ]);
  });
});

describe('templates of project types', () => {
  it.each(readdirSync(TEMPLATES))('%s loads without a finding', async (file) => {
    const type = file.replace('.yaml', '');
    const template = async () => readFileSync(join(TEMPLATES, file), 'utf8');
    for (const git of [true, false]) {
      const files = { 'state.json': JSON.stringify({ project_type: type }) };
      const { plan, findings, source } = await loadFiles(files, { template }, memoryProject(files, { git }));
      expect(shown(findings)).toEqual([]);
      expect(plan?.project.type).toBe(type);
      expect(source).toMatchObject({ origin: 'template', path: `templates/project-types/${type}.yaml` });
    }
  });

  it.skipIf(!existsSync(SEEDS)).each(['feature', 'bugfix', 'documentation', 'research'])(
    '%s is the one of ADR-006 but for its names',
    async (type) => {
      const seed = blocks.find(({ text }) => text.startsWith(`# templates/project-types/${type}.yaml`));
      const [ours, theirs] = [readFileSync(join(TEMPLATES, `${type}.yaml`), 'utf8'), seed?.text ?? ''];
      const nameless = async (text: string) =>
        (await loadText(text)).plan?.phases.map(({ name: _, ...phase }) => phase);
      expect(await nameless(ours)).toEqual(await nameless(theirs));
      expect(await nameless(ours)).not.toBeUndefined();
    },
  );
});
