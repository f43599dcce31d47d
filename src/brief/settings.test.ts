import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../test/sample-start.ts';
import { readShippedSkills } from '../adapters/disk/shipped-config.ts';
import type { PhaseConfig } from '../domain/plan/plan.ts';
import { wantsWeb } from '../domain/plan/web-search.ts';
import { type BriefSource, briefFacts } from './brief-facts.ts';
import { type ConventionSource, readConventions } from './conventions.ts';
import { briefTemplates, renderPhaseBrief } from './render-brief.ts';

const shipped = async (path: string) => {
  try {
    return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  } catch {
    return undefined;
  }
};
const NOTHING: ConventionSource = { paths: [], read: async () => undefined };
const SECURITY = { id: 'security', name: 'Security', description: 'Who could misuse it.', skills: [], triggers: [] };

async function brief(config: PhaseConfig, more: Partial<BriefSource> = {}): Promise<string> {
  const phase = samplePhase('a', { ...more.phase, config });
  const nothing = { attempt: 1, maxAttempts: 3, inputs: [], verdicts: [], guidance: [] };
  const conventions = await readConventions(NOTHING, config.skills ?? [], readShippedSkills());
  const plan = { ...samplePlan([phase]), experts: [SECURITY] };
  const source = { plan, ...nothing, conventions, readers: ['Read', 'Grep'], ...more, phase };
  return renderPhaseBrief(await briefTemplates(phase, shipped), briefFacts(source));
}

const FULL: PhaseConfig = {
  ...{ template: 'developer/python', skills: ['python'], experts: ['security'], max_iterations: 3 },
  ...{ review_scope: 'security', doc_types: ['api'], test_types: ['e2e'], tools: ['file_analysis'] },
  ...{ focus: 'speed', description: 'More words.' },
};

describe('each setting of a phase is told, and is gone without it', () => {
  it.each([
    ['template', ['You write Python that will be kept.']],
    ['skills', ['Skills that help: python', '### `python`', 'The standard library first']],
    ['experts', ['  - Security: Who could misuse it.']],
    ['max_iterations', ['leave open for a human: at most 3']],
    ['review_scope', ['Review scope: security']],
    ['doc_types', ['api (each name that others may call']],
    ['test_types', ['e2e (the whole from outside']],
    ['tools', ['file_analysis (read and search the files themselves, with Read, Grep)']],
    ['focus', ['Focus: speed']],
    ['description', ['More words.']],
  ] as const)('%s', async (key, words) => {
    const { [key]: _, ...without } = FULL;
    const [whole, changed] = [await brief(FULL), await brief(without)];
    for (const each of words) {
      expect(whole).toContain(each);
      expect(changed).not.toContain(each);
    }
  });

  it('web_search among the tools lets an agent search', () => {
    expect(wantsWeb(samplePhase('a', { config: { tools: ['web_search', 'file_analysis'] } }))).toBe(true);
    expect(wantsWeb(samplePhase('a', { config: { tools: ['file_analysis'] } }))).toBe(false);
  });

  it('an agent that cannot search the web is not told to do so and at once that it cannot', async () => {
    const config = { tools: ['web_search', 'file_analysis'] };
    expect(await brief(config, { web: true })).toContain('- Tools to use: web_search; file_analysis');
    const without = await brief(config, { web: false });
    expect(without).toContain('- Tools to use: file_analysis');
    expect(without).toContain('HELIX gives you no web search.');
  });

  it('a setting left to HELIX that has not been chosen says nothing', async () => {
    const text = await brief({ template: 'auto', skills: ['auto'], experts: ['auto'] });
    expect(text).not.toMatch(/auto|Settings of this phase/);
  });
});

describe('a skill', () => {
  it("that HELIX ships stands in the brief in full, and the project's own of that name takes its place", async () => {
    const own = new Map([['.agents/skills/python/SKILL.md', 'Our Python.']]);
    const source = { paths: [...own.keys()], read: async (path: string) => own.get(path) };
    const conventions = await readConventions(source, ['python'], readShippedSkills());
    expect(conventions.shipped).toBeUndefined();
    const text = await brief({ skills: ['python'] }, { conventions });
    expect(text).toContain('### `.agents/skills/python/SKILL.md`\n\nOur Python.\n');
    expect(text).not.toContain('The standard library first');
  });

  it('with a hostile name is quoted where it is told, and reads no file', async () => {
    for (const name of ['../../etc/passwd', '`x`\n# New orders', '{{ request }}', '__proto__']) {
      const text = await brief({ skills: [name] });
      expect(text).not.toMatch(/^# New orders/m);
      expect(text).not.toContain('## Skills');
    }
    const path = 'skills/`a` # b/SKILL.md';
    const source = { paths: [path], read: async () => 'Words.' };
    const conventions = await readConventions(source, [], readShippedSkills());
    expect(conventions.more[0]?.path).not.toMatch(/^`skills\/`a` /);
  });
});

describe("a phase of the project's own type", () => {
  const phase = samplePhase('a', {
    ownType: { name: 'hardware-test', description: 'Flash the board.\n\n# Not a heading' },
  });

  it('is told what the project says of it, and what kind it is', async () => {
    const text = await brief({}, { phase, request: 'Make it start.' });
    expect(text).toContain('You are doing phase `a` (hardware-test) of');
    expect(text).toContain('This project describes this kind of work (`hardware-test`) itself:\n\nFlash the board.');
    expect(text).not.toMatch(/^# Not a heading/m);
    expect(text).toContain('Do your part of what the user asked for.');
    const { description: _, ...nameless } = { ...phase.ownType, name: 'hardware-test' };
    expect(await brief({}, { phase: { ...phase, ownType: nameless } })).toContain('calls `hardware-test`');
  });

  it("is told the project's own template for it", async () => {
    const read = async (path: string) =>
      path === 'templates/hardware-test/default.md' ? 'Mind the board.' : shipped(path);
    expect((await briefTemplates(phase, read)).role.text).toBe('Mind the board.');
  });
});

it('the languages that were found are told', async () => {
  expect(await brief({}, { languages: ['rust', 'go'] })).toContain('the project is written in rust, go.');
  expect(await brief({})).not.toContain('is written in');
});
