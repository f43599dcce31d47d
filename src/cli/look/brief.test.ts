import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Repository } from '../../../test/repository.ts';
import { BriefDocument } from '../../domain/documents/documents.ts';

const GATES = [
  { type: 'files_exist' },
  { type: 'custom', command: ['grep', '-q', 'better', 'out.txt'], max_retries: 1 },
  { type: 'approval', approval_type: 'code' },
];
const PHASES = [
  { id: 'first', type: 'planning', output: ['plan.md'] },
  { id: 'work', type: 'development', output: ['out.txt'], quality_gate: GATES, verify_agent: true },
];
const SCRIPTED = {
  phases: PHASES,
  files: { 'request.md': 'The ZEBRA-REQUEST.\n', 'AGENTS.md': 'ZEBRA-OWNER\n' },
  settings: { agents: { default: { driver: 'scripted' } }, allow_simulated: true },
};

it('shows without a run what would be sent, where each part comes from, and starts nothing', async () => {
  const repository = new Repository({ ...SCRIPTED, agent: 'exit 1' });
  const before = repository.digest();
  const { code, stdout, stderr } = await repository.helix(['brief', 'work']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^# work\n\nYou are doing phase `work` \(development\)[\s\S]*ZEBRA-REQUEST[\s\S]*ZEBRA-OWNER/);
  expect(stderr).toContain('what the creator of work would be told in a run that would begin now\n');
  expect(stderr).toMatch(/ {2}request +request.md, as it was when the run began\n/);
  expect(stderr).toMatch(/ {2}convention AGENTS.md +commit [0-9a-f]{12}\n/);
  expect(stderr).toMatch(/ {2}gate approval +phases.yaml, approvals\/code\/\n/);
  expect(repository.digest()).toEqual(before);
  expect(repository.worktrees()).toEqual([]);
  expect(existsSync(`${repository.agentPath}.brief`)).toBe(false);
  expect((await repository.journaled()).run).toBe('');
});

it('shows what judges would be told, each with what it is', async () => {
  const repository = new Repository(SCRIPTED);
  const reviewer = await repository.helix(['brief', 'work', '--role', 'reviewer', '--json']);
  const document = BriefDocument.parse(JSON.parse(reviewer.stdout));
  expect(document).toMatchObject({ role: 'reviewer', briefs: [{ instructions: expect.stringContaining('judge') }] });
  expect(document.briefs[0]?.brief).toContain('# Approval: code');
  expect(document.briefs[0]?.parts).toContainEqual({
    part: 'check security',
    from: "HELIX's own approvals/code/checks/security.md",
  });
  const verifier = await repository.helix(['brief', 'work', '--role', 'verifier']);
  expect(verifier.stdout).toContain('# Approval: verification');
  expect(verifier.stderr).not.toContain('convention AGENTS.md');
  const none = await repository.helix(['brief', 'first', '--role', 'verifier']);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('no gate of first asks a verifier') });
  const consultant = await repository.helix(['brief', 'work', '--role', 'consultant']);
  expect(consultant).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no such run') });
});

it('shows what those who are asked in a meeting would be told, and where every part comes from', async () => {
  const meeting = { id: 'agree', type: 'meeting', config: { experts: ['data', 'law'] }, output: ['spec.yaml'] };
  const repository = new Repository({ ...SCRIPTED, phases: [meeting, ...PHASES] });
  const told = async (role: string) => {
    const { stdout } = await repository.helix(['brief', 'agree', '--role', role, '--json']);
    return BriefDocument.parse(JSON.parse(stdout)).briefs;
  };
  const experts = await told('expert');
  expect(experts.map(({ brief }) => brief.split('\n')[0])).toEqual([
    expect.stringContaining('What do you think of it, as `Data'),
    '# What do you think of it, as `law`?',
  ]);
  expect((await told('questions'))[0]?.brief).toContain('# What is clear, and what has to be asked?');
  const [criteria] = await told('criteria');
  expect(criteria?.brief).toMatch(/# When is it done\?[\s\S]*ZEBRA-REQUEST/);
  for (const { parts } of [...experts, ...(await told('questions'))])
    expect(parts).toContainEqual({
      part: 'what it delivers and is judged by',
      from: 'outputs and gates in phases.yaml',
    });
  const none = await repository.helix(['brief', 'work', '--role', 'questions']);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('HELIX holds no meeting in work') });
});

it('shows judges of a phase that declares no outputs, before anybody has made any', async () => {
  const work = { id: 'work', type: 'development', quality_gate: { type: 'approval', approval_type: 'code' } };
  const sign = { id: 'sign', type: 'approval', approval_type: 'code' };
  const repository = new Repository({ ...SCRIPTED, phases: [{ ...work, verify_agent: true }, sign] });
  for (const of of [
    ['work', 'reviewer'],
    ['work', 'verifier'],
    ['sign', 'reviewer'],
  ] as const) {
    const { code, stdout, stderr } = await repository.helix(['brief', of[0], '--role', of[1]]);
    expect([code, stdout], stderr).toEqual([0, expect.stringContaining('- `<what the phase will have changed>`')]);
    expect(stderr).toMatch(/ {2}what to judge +what the phase will have changed\n/);
  }
});

it('names the sources a judge is really told from', async () => {
  const repository = new Repository({
    ...SCRIPTED,
    plan: { project: { name: 'p', description: 'The ZEBRA-PROJECT.' } },
    files: {
      'AGENTS.md': 'ZEBRA-OWNER\n',
      'approvals/code/CLAUDE.md': '# Code\n\nLook.\n',
      'approvals/code/checks/mine.md': '# Mine\n\nIs it mine?\n',
    },
  });
  const { stdout, stderr } = await repository.helix(['brief', 'work', '--role', 'reviewer']);
  expect(stdout).toContain('ZEBRA-PROJECT');
  expect(stderr).toMatch(/ {2}request +phases.yaml: project.description\n/);
  expect(stderr).toMatch(/ {2}check mine +approvals\/code\/checks\/mine.md\n/);
  expect(stderr).toMatch(/ {2}convention AGENTS.md +commit [0-9a-f]{12}\n/);
});

it('in a run that waits it is what the next attempt, the judge and the consultant would be told', async () => {
  const [files, custom] = GATES;
  const phases = [PHASES[0] ?? {}, { ...PHASES[1], verify_agent: false, quality_gate: [files, custom] }];
  const repository = new Repository({
    phases,
    files: {
      ...SCRIPTED.files,
      'config/escalation.yaml': 'escalation: { levels: { stufe_1: { max_attempts: 0 } } }\n',
    },
    agent: 'if [ "$HELIX_PHASE" = first ]; then echo plan > plan.md; else echo done > out.txt; fi',
  });
  const { code, run } = await repository.run();
  expect(code).toBe(3);
  const { stdout, stderr } = await repository.helix(['brief', 'work']);
  expect(stderr).toContain(`would be told in run ${run}\n`);
  expect(stdout).toContain('This is attempt 2 of at most');
  expect(stdout).toContain('- error (custom): the command ended with exit code 1');
  expect(stdout).toMatch(
    /In this run these files were changed before your attempt; `git diff \w{12} HEAD` shows how:\n\n- `plan.md`/,
  );
  const consultant = await repository.helix(['brief', 'work', '--role', 'consultant', '--run', run, '--json']);
  expect(BriefDocument.parse(JSON.parse(consultant.stdout)).briefs[0]?.brief).toContain('ZEBRA-REQUEST');
  const unknown = await repository.helix(['brief', 'wrok']);
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('work') });
});
