import { readdirSync, symlinkSync } from 'node:fs';
import { afterAll, describe, it } from 'vitest';
import { eventually, RobustProject } from './robust-project.ts';

const projects: RobustProject[] = [];
afterAll(() => {
  for (const project of projects) project.dispose();
});

const WITHIN = (hours: number, on_timeout: string) =>
  JSON.stringify({ escalation: { levels: { stufe_2: { wait_timeout_hours: hours, on_timeout } } } });

/** A phase that is accepted, and one that fails once, has no more attempts and passes the next time. */
function stuck(files: Readonly<Record<string, string>> = {}): RobustProject {
  const quality_gate = { type: 'files_exist', max_retries: 1, files: ['a.txt'] };
  const project = new RobustProject({
    phases: [
      { id: 'one', type: 'development', output: ['output/one.txt'] },
      { id: 'two', type: 'development', quality_gate },
    ],
    script: {
      one: [{ writes: { 'output/one.txt': '1' } }],
      two: [{ writes: { 'b.txt': 'first\n' } }, { writes: { 'a.txt': 'a' } }],
    },
    files,
  });
  projects.push(project);
  return project;
}

type Asked = { readonly id: string; readonly run: string; readonly place: string };

async function open(project: RobustProject): Promise<Asked[]> {
  const { stdout } = await project.helix(['inbox', '--json']);
  const { requests } = JSON.parse(stdout) as { requests: { id: string; run: string; phase: string }[] };
  return requests.map(({ id, run, phase }) => ({
    ...{ id, run },
    place: `.helix/runs/${run}/phases/${phase}/escalation/stufe-2/user-decision.json`,
  }));
}

async function asks(project: RobustProject, args: readonly string[] = ['run', '--trust']): Promise<Asked> {
  const { code, stderr } = await project.helix(args);
  const [asked] = await open(project);
  if (code !== 3 || asked === undefined) throw new Error(`nothing is asked: ${code} ${stderr}`);
  return asked;
}

describe.concurrent('an answer by arguments', () => {
  it('that cannot be taken is refused with 2 and a reason, and the question stays open', async ({ expect }) => {
    const project = stuck();
    const { id, run } = await asks(project);
    project.write('types.json', '{"chosen_option": ["A"]}');
    project.write('other.json', '{"chosen_option": "A", "request": "20990101-00000000-q1"}');
    project.write('large.json', JSON.stringify({ chosen_option: 'A', user_comment: 'x'.repeat(1024 * 1024) }));
    symlinkSync('types.json', project.path('link.json'));
    const refused: readonly [readonly string[], string][] = [
      [[id, 'Z'], `${id} has no option "Z"`],
      [[id, 'C'], 'option C accepts work that a gate rejects, and needs a reason'],
      [[id, 'D', '--phase', 'two'], 'It can go back to: one'],
      [[id, 'A', '--phase', 'one'], 'option A does not go back to a phase'],
      [[id, '--comment', 'so'], 'a comment or a phase goes with an option'],
      [[`${run}-q2`, 'A'], `there is no question ${run}-q2`],
      [['20990101-00000000-q1', 'A'], 'there is no run 20990101-00000000'],
      [[id, '--file', 'types.json'], 'chosen_option: '],
      [[id, '--file', 'other.json'], 'answers 20990101-00000000-q1'],
      [[id, '--file', 'large.json'], 'larger than 1 MB'],
      [[id, '--file', 'link.json'], 'links are not followed'],
      [[id, 'A', '--file', 'other.json'], 'the whole answer stands in the file'],
    ];
    for (const [args, says] of refused) {
      const { code, stderr } = await project.helix(['decide', ...args]);
      expect({ args, code, stderr }).toEqual({ args, code: 2, stderr: expect.stringContaining(says) });
    }
    expect(await open(project)).toHaveLength(1);
    const taken = await project.helix(['decide', id, 'C', '--comment', 'b.txt will do']);
    expect(taken.code).toBe(0);
    const late = await project.helix(['decide', id, 'A']);
    expect(late).toMatchObject({ code: 2, stderr: expect.stringMatching(/already answered with C by .+ at 20\d\d-/) });
    const { state } = await project.journaled();
    expect(state.phases.get('two')?.accepted?.override).toMatchObject({ request: id, reason: 'b.txt will do' });
  });

  it('goes back to the phase it names', async ({ expect }) => {
    const project = stuck();
    const { id } = await asks(project);
    expect((await project.helix(['decide', id, 'D', '--phase', 'one'])).code).toBe(0);
    const { facts } = await project.journaled();
    expect(facts.some((fact) => fact.startsWith('plan_reverted'))).toBe(true);
    expect(facts.filter((fact) => fact.startsWith('phase_accepted'))).toHaveLength(3);
  });
});

describe.concurrent('answers that are given at the same moment', () => {
  it('all count, whoever goes on with the run', async ({ expect }) => {
    const ids = ['one', 'two', 'three'];
    const quality_gate = { type: 'files_exist', max_retries: 1, files: ['a.txt'] };
    const project = new RobustProject({
      phases: ids.map((id) => ({ id, type: 'development', depends_on: [], quality_gate })),
      script: Object.fromEntries(ids.map((id) => [id, [{ writes: { 'b.txt': 'b' } }, { writes: { 'a.txt': 'a' } }]])),
    });
    projects.push(project);
    await asks(project);
    const asked = await open(project);
    expect(asked).toHaveLength(ids.length);
    const ends = await Promise.all(asked.map(({ id }) => project.helix(['decide', id, 'A'])));
    // 3: others were still to be answered when it stopped.
    for (const { code, stderr } of ends) expect([0, 3], stderr).toContain(code);
    expect(await open(project)).toEqual([]);
    const { state } = await project.journaled();
    expect(state.ended?.status).toBe('passed');
  });
});

describe.concurrent('a question', () => {
  it('shows what failed, how the attempts differ, what there is to choose and how', async ({ expect }) => {
    const quality_gate = { type: 'files_exist', max_retries: 2, files: ['a.txt'] };
    const project = new RobustProject({
      phases: [{ id: 'one', type: 'development', quality_gate }],
      script: { one: [{ writes: { 'b.txt': 'first\n' } }, { writes: { 'b.txt': '\u001b[2Jsecond\n' } }] },
    });
    projects.push(project);
    const { id, run } = await asks(project);
    const { code, stdout } = await project.helix(['decide', id]);
    expect(code).toBe(3);
    for (const part of [
      'a.txt is missing',
      '2 judged attempts',
      /1 {2}default · reject · 1 file changed/,
      'From attempt 1 to attempt 2',
      '-first',
      `helix diff ${run} one --attempt 2`,
      `helix decide ${id} A --comment`,
      `helix decide ${id} C --comment`,
      `.helix/runs/${run}/phases/one/escalation/stufe-2/worktree`,
      '(effort: low; recommended)',
    ]) {
      expect(stdout).toMatch(part);
    }
    expect(stdout).not.toContain('\u001b');
    const document = JSON.parse((await project.helix(['decide', id, '--json'])).stdout);
    expect(document).toMatchObject({ request: id, summary: { total_attempts: 2 } });
  });

  it('whose time is over is settled by the next command, which says how to go on', async ({ expect }) => {
    const project = stuck({ 'config/escalation.yaml': WITHIN(0.001, 'abort') });
    expect((await project.helix(['run', '--trust'])).code).toBe(3);
    const { state } = await project.journaled();
    const [id = ''] = state.requests.keys();
    const place = `.helix/runs/${state.run}/phases/two/escalation/stufe-2`;
    project.write(`${place}/worktree/mine.txt`, 'mine');
    let settled = '';
    await eventually(async () => {
      settled = (await project.helix(['list'])).stderr;
      return settled !== '';
    });
    expect(settled).toBe(`${id}: nobody answered in time, so E is taken; go on with: helix resume ${state.run}\n`);
    expect(await open(project)).toEqual([]);
    const kept = `${place}/earlier/${id}/worktree`;
    const resumed = await project.helix(['resume']);
    expect(resumed).toMatchObject({ code: 1, stderr: expect.stringContaining(`it is kept in ${kept}`) });
    expect(project.read(`${kept}/mine.txt`)).toBe('mine');
    expect((await project.journaled()).facts).toContain('decision_taken E abort');
  });

  it('whose time is over is settled where a process waits', async ({ expect }) => {
    const project = stuck({ 'config/escalation.yaml': WITHIN(0.0003, 'retry') });
    expect((await project.helix(['run', '--trust', '--wait'])).code).toBe(0);
    expect((await project.journaled()).facts).toContain('decision_taken A retry');
  });
});

describe.concurrent('a file laid down by hand', () => {
  it('is refused by the next command with a reason, and taken once it is right', async ({ expect }) => {
    const project = stuck();
    const { id, run, place } = await asks(project);
    project.write(place, '{"chosen_option": 1}');
    const refused = await project.helix(['status']);
    expect(refused.stderr).toContain(`${id} stays open: ${place} is not a user decision: chosen_option: `);
    const manual_code =
      '--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-first\n+mine\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+a\n';
    project.write(place, JSON.stringify({ chosen_option: 'B', additional_input: { manual_code } }));
    const taken = await project.helix(['inbox']);
    expect(taken.stderr).toMatch(/: answered by .+ \(file\), so B is taken; go on with: helix resume /);
    expect((await project.helix(['resume', run])).code).toBe(0);
    expect(project.read('phases/two/b.txt')).toBe('mine\n');
    expect((await project.journaled()).facts.filter((fact) => fact.startsWith('decision_taken'))).toHaveLength(1);
    expect(project.read(place)).toContain(`"request": "${id}"`);
    expect(readdirSync(project.path(place).replace('user-decision.json', '')).join()).not.toContain('not-taken');
    project.write(place, '{"chosen_option": "E", "user_comment": "no, stop"}');
    const late = await project.helix(['resume', run]);
    expect(late.stderr).toMatch(
      /stufe-2\/user-decision\.json came too late: \S+-q1-\w+ was already answered with B by .+ at 20.+; it is kept as user-decision\.not-taken\.json/,
    );
    expect(project.read(place.replace('.json', '.not-taken.json'))).toContain('no, stop');
  });

  it('is taken up by a process that waits, and does not answer the next question', async ({ expect }) => {
    const project = stuck();
    project.write('scripted.yaml', JSON.stringify({ phases: { two: [{}, {}, { writes: { 'a.txt': 'a' } }] } }));
    const running = project.start(['run', '--trust', '--wait']);
    await eventually(async () => (await open(project)).length === 1);
    const [first] = await open(project);
    project.write(first?.place ?? '', '{"chosen_option": "A"}');
    await eventually(async () => (await open(project))[0]?.id.includes('-q2-') === true);
    const [second] = await open(project);
    expect((await project.helix(['decide', second?.id ?? '', 'A'])).code).toBe(0);
    expect((await running.end).code).toBe(0);
    const taken = (await project.journaled()).events.flatMap(({ type, data }) =>
      type === 'decision_taken' ? [data] : [],
    );
    expect(taken).toMatchObject([{ actor: expect.stringMatching(/\(file\)$/) }, { option: 'A' }]);
    expect(readdirSync(project.path(second?.place ?? '').replace('user-decision.json', ''))).toContain('earlier');
  });
});
