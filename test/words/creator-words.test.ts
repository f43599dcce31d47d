import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decideAs, NO_CONSULTANT } from '../human.ts';
import { Repository } from '../repository.ts';

/** Keeps what it was really sent, by phase and attempt, and what it sees. */
const AGENT = `
cp "$0.brief" "$(dirname "$0")/sent-$HELIX_PHASE-$HELIX_ATTEMPT"
echo "$HELIX_ATTEMPT" > "$HELIX_PHASE.txt"`;

const PHASES = [
  { id: 'one', type: 'consultant', output: ['one.txt', 'spec.yaml'] },
  { id: 'two', type: 'development', output: ['two.txt'] },
  { id: 'three', type: 'documentation', output: ['three.txt'] },
];

const SPEC = 'printf "goal: ZEBRA-SPEC\\n" > spec.yaml';

/** What the agent of an attempt was sent. */
function sent(repository: Repository, phase: string, attempt = 1): string {
  return readFileSync(repository.beside(`sent-${phase}-${attempt}`), 'utf8');
}

/** The part of a brief below a heading. */
function section(brief: string, heading: string): string {
  const [, rest = ''] = brief.split(`\n## ${heading}\n`);
  return rest.split(/\n## /)[0] ?? '';
}

/** A Markdown text without its fenced blocks. */
function unfenced(text: string): string {
  return text.replaceAll(/^(`{3,})[^`\n]*\n[\s\S]*?\n\1$/gm, '');
}

it('in a repository every phase is told the request, its task, its place, the specification and what was changed', async () => {
  const repository = new Repository({
    phases: PHASES,
    agent: `${AGENT}\n[ "$HELIX_PHASE" != one ] || ${SPEC}`,
    files: { 'request.md': 'Please build the ZEBRA-REQUEST.\n', 'AGENTS.md': '# Rules\n\nUse ZEBRA-OWNER tabs.\n' },
    settings: { language: 'fr', budget: { usd: 3, minutes: 40 } },
  });
  expect(await repository.run()).toMatchObject({ code: 0 });
  for (const phase of ['one', 'two', 'three']) {
    const brief = sent(repository, phase);
    expect(section(brief, 'What the user asked for')).toContain('ZEBRA-REQUEST');
    expect(section(brief, 'Your task')).toMatch(/what the user asked for.*\. Deliver it as `/);
    expect(unfenced(section(brief, 'Conventions of this project'))).toMatch(/\n#### Rules\n\nUse ZEBRA-OWNER tabs\./);
    expect(brief).toContain('Write what people read in French (`fr`)');
    expect(brief).toMatch(/It may use at most \d+ minutes\./);
    expect(brief).not.toMatch(/No input files|\n{3,}|undefined|null/);
  }
  expect(section(sent(repository, 'one'), 'The specification as it stands now')).toBe('');
  expect(section(sent(repository, 'two'), 'The specification as it stands now')).toContain(
    'The whole of `spec.yaml`:\n\n```text\ngoal: ZEBRA-SPEC\n```',
  );
  expect(section(sent(repository, 'three'), 'The specification as it stands now')).toContain('ZEBRA-SPEC');
  expect(section(sent(repository, 'two'), 'Where this phase stands')).toMatch(
    /- `one` \(consultant\), which made `one.txt`, `spec.yaml`\n\nAfter it.*\n\n- `three` \(documentation\) builds on what you make/,
  );
  expect(section(sent(repository, 'one'), 'What you have')).toContain('No phase before you changed anything.');
  expect(section(sent(repository, 'three'), 'What you have')).toMatch(/- `one.txt`\n- `spec.yaml`\n- `two.txt`/);
});

it('the command that shows what earlier phases changed works where the agent stands, and shows nothing of its own work', async () => {
  const show =
    'sh -c "$(sed -n \'s/.*; `\\(git diff [0-9a-fHEAD ]*\\)` shows how.*/\\1/p\' "$0.brief")" > "$0.shown-$HELIX_PHASE-$HELIX_ATTEMPT"';
  const repository = new Repository({
    phases: [
      { id: 'one', type: 'development', output: ['one.txt'] },
      {
        id: 'two',
        type: 'development',
        output: ['two.txt'],
        quality_gate: { type: 'custom', command: ['grep', '-q', '2', 'two.txt'] },
      },
    ],
    agent: `${AGENT}\n[ "$HELIX_PHASE" != one ] || echo ZEBRA-ONE >> one.txt\n${show}`,
  });
  expect(await repository.run()).toMatchObject({ code: 0 });
  for (const attempt of [1, 2]) {
    const shown = readFileSync(`${repository.agentPath}.shown-two-${attempt}`, 'utf8');
    expect(shown).toContain('+ZEBRA-ONE');
    expect(shown).not.toContain('two.txt');
  }
});

it('the reason of a failure reaches the next attempt, however much was said before it', async () => {
  const gate = {
    type: 'custom',
    command: 'test "$(cat work.txt)" = 2 || { seq 1 9000; echo "because of ZEBRA-TAIL"; exit 1; }',
  };
  const tests = {
    type: 'tests_pass',
    command: ['sh', '-c', 'test "$(cat work.txt)" = 2 || { seq 1 9000; echo ZEBRA-TESTS; exit 1; }'],
  };
  for (const [quality_gate, word] of [
    [gate, 'because of ZEBRA-TAIL'],
    [tests, 'ZEBRA-TESTS'],
  ] as const) {
    const repository = new Repository({
      phases: [{ id: 'work', type: 'development', output: ['work.txt'], quality_gate }],
      agent: AGENT,
      files: { 'work.txt': 'untouched\n' },
    });
    await repository.run();
    const wrong = section(sent(repository, 'work', 2), 'What was wrong last time');
    expect(wrong).toContain(`\n    8999\n    9000\n    ${word}\n`);
    expect(wrong).toContain('\n    …\n    8942\n');
    expect(wrong.length).toBeLessThan(1500);
  }
});

const TESTS = `#!/bin/sh
echo "ok 1 - good"
echo "not ok 2 - ZEBRA-OLD"
echo "1..2"
exit 1
`;

it.each([
  [true, 'it does not count, because of `baseline: true`', 'Not yours, and they do not count'],
  [false, 'it will count, `baseline: true` leaves it out', 'They count all the same'],
])('what failed before anybody worked is said at the start and in the brief (baseline: %s)', async (baseline, said, told) => {
  const gate = { type: 'tests_pass', command: ['sh', 'tests.sh'], baseline, max_retries: 1 };
  const repository = new Repository({
    phases: [{ id: 'work', type: 'development', output: ['work.txt'], quality_gate: gate }],
    agent: AGENT,
    files: { 'tests.sh': TESTS },
  });
  const run = await repository.run();
  expect(run.said).toContain(`1 of 2 tests fails before anybody worked: ZEBRA-OLD; ${said}`);
  expect(section(sent(repository, 'work'), 'How it will be judged')).toMatch(
    new RegExp(`  - .*${told}.*\`ZEBRA-OLD\``),
  );
});

it('a command of the user’s own that fails before anybody worked is told at the start and in the brief', async () => {
  const gate = { type: 'custom', command: ['sh', 'check.sh', 'ZEBRA-CHECK'], max_retries: 1 };
  const repository = new Repository({
    phases: [{ id: 'work', type: 'development', output: ['work.txt'], quality_gate: gate }],
    agent: AGENT,
    files: { 'check.sh': 'test -e work.txt\n' },
  });
  const run = await repository.run();
  expect(run.said).toContain('sh check.sh ZEBRA-CHECK fails before anybody worked');
  expect(section(sent(repository, 'work'), 'How it will be judged')).toContain(
    'Before anybody worked this command failed',
  );
});

const OWN = {
  'approvals/stripes/CLAUDE.md': 'Look at the stripes.\n',
  'approvals/stripes/checks/zebra.md': '# Check: zebra\n\nAre there ZEBRA-CHECK stripes\non it?\n\n## More\n',
  'config/adr-completeness-rules.yaml': [
    "_meta: { version: '1', description: mine }",
    'base_rules: { required_sections: [ZEBRA-SECTION], min_acceptance_criteria: 7, min_section_length: 9 }',
    'contextual_rules: []',
  ].join('\n'),
};

it('what gates and judges will check stands there, from the definitions of the base commit', async () => {
  const repository = new Repository({
    phases: [
      {
        id: 'work',
        type: 'development',
        output: ['adr.md'],
        quality_gate: [
          { type: 'adr_complete', file: 'adr.md' },
          { type: 'approval', approval_type: 'stripes' },
        ],
      },
    ],
    files: OWN,
    settings: { agents: { default: { driver: 'scripted' } }, allow_simulated: true },
  });
  const { code, stdout } = await repository.helix(['brief', 'work']);
  expect(code).toBe(0);
  const judged = section(stdout, 'How it will be judged');
  expect(judged).toContain('"ZEBRA-SECTION"');
  expect(judged).toContain('At least 7 different acceptance criteria');
  expect(judged).toContain('  - `zebra`: Are there ZEBRA-CHECK stripes on it?');
});

it('in phase-dirs a skill that is named can be opened, and is no part of the work', async () => {
  const skill = (word: string) => `---\nname: x\ndescription: About ${word}\n---\nDo it ${word}.\n`;
  const repository = new Repository({
    plan: { workspace: 'phase-dirs' },
    phases: [
      { id: 'one', type: 'development', output: ['output/x.md'], config: { skills: ['full'] } },
      { id: 'two', type: 'development', output: ['output/y.md'] },
    ],
    files: {
      'skills/full/SKILL.md': skill('ZEBRA-FULL'),
      'skills/full/examples/one.md': 'ZEBRA-EXAMPLE\n',
      '.claude/skills/db/SKILL.md': skill('ZEBRA-NAMED'),
    },
    agent: [
      AGENT,
      'mkdir -p output; echo x > output/x.md; echo y > output/y.md',
      'path=$(sed -n \'s/^- `\\(.*SKILL.md\\)`: About ZEBRA-NAMED$/\\1/p\' "$0.brief")',
      'cp "$path" "$(dirname "$0")/opened-$HELIX_PHASE"',
      'full=$(sed -n \'s/^### `\\(.*SKILL.md\\)`$/\\1/p\' "$0.brief")',
      '[ -z "$full" ] || cat "$full" "$(dirname "$full")/examples/one.md" > "$(dirname "$0")/full-$HELIX_PHASE"',
      'find . -type f > "$(dirname "$0")/seen-$HELIX_PHASE"',
    ].join('\n'),
  });
  const run = await repository.run();
  expect(run).toMatchObject({ code: 0 });
  for (const phase of ['one', 'two'])
    expect(readFileSync(repository.beside(`opened-${phase}`), 'utf8')).toContain('Do it ZEBRA-NAMED.');
  expect(section(sent(repository, 'one'), 'Conventions of this project')).toContain('\n\nDo it ZEBRA-FULL.\n');
  expect(readFileSync(repository.beside('full-one'), 'utf8')).toMatch(/ZEBRA-FULL[\s\S]*ZEBRA-EXAMPLE/);
  const started = run.events.flatMap((event) => (event.type === 'attempt_started' ? event.data.inputs : []));
  expect(started.map(({ path }) => path)).not.toContainEqual(expect.stringContaining('SKILL.md'));
  expect(readFileSync(join(repository.beside('seen-two')), 'utf8')).not.toContain('one/.claude');
});

it('after a rejection, a resume and a decision the whole brief is there again, with what was decided', async () => {
  const repository = new Repository({
    phases: [
      { id: 'one', type: 'consultant', output: ['one.txt', 'spec.yaml'] },
      {
        id: 'two',
        type: 'development',
        output: ['two.txt'],
        quality_gate: {
          type: 'custom',
          command: ['sh', 'check.sh'],
          max_retries: 1,
        },
      },
    ],
    agent: `${AGENT}\n[ "$HELIX_PHASE" != one ] || ${SPEC}`,
    files: {
      'request.md': 'Please build the ZEBRA-REQUEST.\n',
      'check.sh': 'echo ZEBRA-WHY; test "$(cat two.txt)" = 2\n',
      ...NO_CONSULTANT,
    },
  });
  expect(await repository.run()).toMatchObject({ code: 3 });
  await decideAs(repository.dir, { action: 'retry', guidance: 'ZEBRA-HUMAN' }, 'ZEBRA-HUMAN');
  expect(await repository.resume()).toMatchObject({ code: 0 });
  const brief = sent(repository, 'two', 2);
  expect(section(brief, 'What a human decided')).toContain('ZEBRA-HUMAN');
  expect(section(brief, 'What was wrong last time')).toContain('\n    ZEBRA-WHY\n');
  expect(section(brief, 'What the user asked for')).toContain('ZEBRA-REQUEST');
  expect(section(brief, 'The specification as it stands now')).toContain('ZEBRA-SPEC');
  expect(section(brief, 'What you have')).toContain('- `one.txt`');
  for (const word of ['ZEBRA-HUMAN', 'ZEBRA-WHY', 'ZEBRA-REQUEST', 'ZEBRA-SPEC'])
    expect(brief.split(word)).toHaveLength(2);
});

it('a review goes by the specification of whoever had to write it, and not by what the author of the work made of it', async () => {
  const repository = new Repository({
    phases: [...PHASES.slice(0, 2), { id: 'check', type: 'review', output: ['review.json'] }],
    agent: `${AGENT}
[ "$HELIX_PHASE" != one ] || ${SPEC}
[ "$HELIX_PHASE" != two ] || printf "goal: ZEBRA-FORGED\\n" > spec.yaml`,
    files: { 'request.md': 'Please build it.\n' },
  });
  await repository.run();
  const told = section(sent(repository, 'check'), 'The specification as it stands now');
  expect(told).toContain('ZEBRA-SPEC');
  expect(told).not.toContain('ZEBRA-FORGED');
});

it('a program that set-up put into .venv is found by the agent and by gates, and never taken for the agent itself', async () => {
  const install =
    'mkdir -p .venv/bin; for name in zebra agent.sh; do printf "#!/bin/sh\\necho ZEBRA-VENV\\n" > .venv/bin/$name; done; chmod +x .venv/bin/*';
  const repository = new Repository({
    plan: { workspace: { mode: 'repo', setup: [['sh', '-c', install]], cache: ['.venv'] } },
    phases: [
      { id: 'work', type: 'development', output: ['work.txt'], quality_gate: { type: 'custom', command: ['zebra'] } },
    ],
    files: { '.gitignore': '.venv/\n' },
    agent: `${AGENT}\nzebra > "$(dirname "$0")/said"`,
  });
  const run = await repository.run();
  expect(run, run.said).toMatchObject({ code: 0 });
  expect(readFileSync(repository.beside('said'), 'utf8')).toBe('ZEBRA-VENV\n');
});
