import { describe, expect, it } from 'vitest';
import { loadText, memoryProject, shown } from '../memory-project.fixture.ts';
import { loadScript } from './load-script.ts';

const load = (text: string) => loadScript(memoryProject({ 'scripted.yaml': text }), 'scripted.yaml', ['01', 'review']);

describe('loadScript', () => {
  it('reads moves, with names and texts as written', async () => {
    const text =
      'phases:\n  01:\n    - { writes: { x-file: 015, a.md: "b" }, prints: 5, x-note: 1, sleep: 0.5 }\nroles:\n  reviewer: [{ answer: { x-a: 1 } }]\n';
    const loaded = await load(text);
    expect(loaded?.findings).toEqual([]);
    expect(loaded?.script).toEqual({
      phases: { '01': [{ writes: { 'x-file': '015', 'a.md': 'b' }, prints: '5', sleep: 0.5 }] },
      roles: { reviewer: [{ answer: { 'x-a': 1 } }] },
    });
  });

  it('says what is wrong and where', async () => {
    const text = 'phases:\n  01:\n    - { wirtes: {} }\n    - { result: time_out }\nroles: { reviwer: [] }\n';
    const loaded = await load(text);
    expect(loaded?.script).toBeUndefined();
    expect(shown(loaded?.findings ?? []).map((line) => line.replace(/ \(known are.*/, ''))).toEqual([
      'scripted.yaml:3:9 error: unknown key "wirtes" (did you mean "writes"?)',
      'scripted.yaml:4:17 error: unknown result "time_out"',
      'scripted.yaml:5:10 error: unknown key "reviwer" (did you mean "reviewer"?)',
    ]);
  });

  it('warns of phases the plan does not have', async () => {
    const loaded = await load('phases: { reveiw: [{}] }\n');
    expect(loaded?.script).toBeDefined();
    expect(shown(loaded?.findings ?? [])).toEqual([
      'scripted.yaml:1:11 warning: the plan has no phase "reveiw" (did you mean "review"?)',
    ]);
  });

  it('is undefined where there is none', async () => {
    expect(await loadScript(memoryProject({}), 'scripted.yaml', [])).toBeUndefined();
  });
});

describe('the script of a scripted agent', () => {
  it('is looked at with the plan, as warnings', async () => {
    const files = { 'helix.yaml': 'agents: { default: { driver: scripted } }', 'scripted.yaml': 'phase: {}\n' };
    const { plan, findings, sources } = await loadText('phases: [{ id: a, type: test }]', files);
    expect(shown(findings)).toEqual(['scripted.yaml:1:1 warning: unknown key "phase" (did you mean "phases"?)']);
    expect([plan === undefined, sources.get('scripted.yaml')]).toEqual([false, 'phase: {}\n']);
  });

  it('may name phases that are still to be generated', async () => {
    const files = {
      'helix.yaml': 'agents: { default: { driver: scripted } }',
      'scripted.yaml': 'phases: { later: [{}] }\n',
    };
    const { findings } = await loadText('phases: [{ id: a, type: planning, generates_phases: true }]', files);
    expect(findings).toEqual([]);
  });

  it('is left alone when nobody uses it', async () => {
    const { findings } = await loadText('phases: [{ id: a, type: test }]', { 'scripted.yaml': 'phase: {}\n' });
    expect(findings).toEqual([]);
  });
});
