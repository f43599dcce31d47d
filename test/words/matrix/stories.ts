import type { Answer } from '../../../src/domain/ladder/answer.ts';
import { helix } from '../../helix-process.ts';
import type { Sent } from '../listening.ts';
import { type ToldParts, ToldProject } from '../told-project.ts';
import type { Fact } from './matrix.ts';

/** A word, or how it is marked where it stands. */
type Word = string | RegExp;

/** What is looked for: one word, or one for each reader who is told it in another form and one for everybody `else`. */
type Planted = Word | Readonly<Record<string, Word>>;

/** Something that can happen to a phase, after which everybody concerned is told about it. */
export type Story = {
  readonly name: string;
  readonly parts: Partial<ToldParts>;
  /** How the human answers, question by question. */
  readonly answers: readonly Answer[];
  readonly words: Readonly<Record<Fact, Planted>>;
  /** Where the run is cut or its plan changed, before it goes on. */
  readonly begin?: (project: ToldProject) => Promise<unknown>;
};

/** What everybody was told last in a story: `build` is the phase it is about. */
export type Heard = {
  readonly creator: Sent;
  readonly review: Sent;
  readonly gateJudge: Sent;
  readonly phaseJudge: Sent;
  readonly verifier: Sent;
  readonly consultant?: Sent;
  readonly human?: { readonly request: string; readonly card: string };
};

const LETTER = 'letter.md';
const BAD = write('STORK-CHANGE BAD');
const WORSE = write('STORK-CHANGE BAD, and worse');
const GOOD = write('STORK-CHANGE thank you.');
const OTHER = write('STORK-CHANGE thank you very much.');

function write(text: string) {
  return { prints: 'MAGPIE-CLAIM: there is nothing left to find', writes: { [LETTER]: `${text}\n` } };
}

const ANALYSIS = { failure_summary: 'it fails', root_cause: 'LYNX-CAUSE', attempts_analyzed: 2 };
const ASKS = { answer: { analysis: ANALYSIS, decision: { action: 'ask_human' } } };
const AGAIN: Answer = { option: 'A' };

const PHASES = [
  { id: 'spec', name: 'SWIFT-BEFORE', type: 'planning', output: ['spec.yaml', 'LARK-EARLIER.txt'] },
  {
    ...{ id: 'build', type: 'development', description: 'PANDA-TASK', output: [LETTER], verify_agent: true },
    quality_gate: [
      { type: 'custom', command: ['sh', 'check.sh', 'TAPIR-RULE'], max_retries: 2 },
      { type: 'tests_pass', command: ['sh', 'tests.sh'], baseline: true, max_retries: 2 },
      { type: 'approval', approval_type: 'code', max_retries: 2 },
    ],
  },
  {
    ...{ id: 'check', type: 'review', depends_on: ['build'], input: { from_phase: 'build', files: [LETTER] } },
    ...{ output: ['review.json'], quality_gate: { type: 'review_approved' } },
  },
  {
    ...{ id: 'approve', type: 'approval', approval_type: 'tone', depends_on: ['build'], input: [LETTER] },
    on_rejection: { action: 'retry_phase', target_phase: 'build' },
  },
  {
    ...{ id: 'ship', name: 'PELICAN-AFTER', type: 'deploy', depends_on: ['check', 'approve'] },
    ...{ input: { from_phase: 'build', files: [LETTER] }, output: ['shipped.txt'] },
  },
];

const FILES = {
  'request.md': 'Please write the ZEBRA-REQUEST.\n',
  'repository/AGENTS.md': '# Rules\n\nUse OTTER-CONVENTION tabs.\n',
  'repository/check.sh': `if grep -q BAD ${LETTER}; then seq 1 3000; printf 'GNU-%s\\n' OUTPUT; exit 1; fi\n`,
  'repository/tests.sh': 'echo "ok 1 - good"\nprintf "not ok 2 - EMU-%s\\n1..2\\n" BASELINE\nexit 1\n',
  ...definition('code'),
  ...definition('tone'),
};

function definition(type: string): Record<string, string> {
  return {
    [`repository/approvals/${type}/CLAUDE.md`]: `# ${type}\n\nIs it kind?\n`,
    [`repository/approvals/${type}/checks/kind.md`]: '# Kind\n\nNo KOALA-CHECK insult.\n',
  };
}

/** What is planted in every story, whatever happens in it. */
const ALWAYS: Story['words'] = {
  request: 'ZEBRA-REQUEST',
  specification: 'FINCH-CRITERION',
  task: 'PANDA-TASK',
  place: { 'human (helix decide)': /phase 2 of \d; then check, approve/, else: /SWIFT-BEFORE[\s\S]*PELICAN-AFTER/ },
  inputs: { creator: 'LARK-EARLIER.txt', else: LETTER },
  rules: {
    judge: 'KOALA-CHECK',
    review: /"approved": true/,
    verifier: /gate-criteria/,
    'human (helix decide)': 'TAPIR-RULE',
    else: /TAPIR-RULE[\s\S]*KOALA-CHECK/,
  },
  baseline: 'EMU-BASELINE',
  conventions: { consultant: 'AGENTS.md', else: 'OTTER-CONVENTION' },
  claims: {
    consultant: /claim[^\n]*:\n\n`+text\n[^`]*MAGPIE-CLAIM/,
    human: /claims[^\n]*MAGPIE-CLAIM/,
    else: 'MAGPIE-CLAIM',
  },
  money: { creator: /at most \d+ minutes/, else: /\d USD/ },
  language: { 'human (helix decide)': /write in: fr\b/, else: /French|`fr`|"fr"/ },
};

/** A judge of a letter that it objects to once. */
const OBJECTION = { file: LETTER, line: 1, quote: 'STORK-CHANGE thank you.' };
const REJECTS = {
  checks: [{ id: 'kind', outcome: 'fail', evidence: [OBJECTION] }],
  findings: [{ severity: 'error', check: 'kind', message: 'QUOLL-FINDING', evidence: OBJECTION }],
  ...{ recommendations: [], result: 'rejected', confidence: 0.9 },
};

const REPLY = { file: LETTER, line: 1, quote: 'STORK-CHANGE thank you very much.' };
const APPROVES = {
  checks: [{ id: 'kind', outcome: 'pass', evidence: [REPLY] }],
  ...{ findings: [], recommendations: [], result: 'approved', confidence: 0.9 },
};

/** A verifier that misses something once. */
const others = (evidence: object) =>
  ['expected-files', 'syntax'].map((id) => ({ id, outcome: 'pass', evidence: [evidence] }));
const DOUBTS = {
  checks: [...others(OBJECTION), { id: 'gate-criteria', outcome: 'fail', evidence: [OBJECTION] }],
  findings: [{ severity: 'error', check: 'gate-criteria', message: 'WOMBAT-FINDING', evidence: OBJECTION }],
  ...{ recommendations: [], result: 'rejected', confidence: 0.9 },
};
const CONFIRMS = {
  ...APPROVES,
  checks: [...others(REPLY), { id: 'gate-criteria', outcome: 'pass', evidence: [REPLY] }],
};

/** A review that approves, and leaves words that no other judge is to go by. */
const REMARKS = {
  answer: { approved: true, findings: [{ severity: 'warning', file: LETTER, line: 1, message: 'GECKO-REMARK' }] },
};

/** Attempts that fail until a consultant and then a human are asked, and one that passes: so everybody is asked about it. */
const STUCK = [BAD, WORSE];

export const STORIES: readonly Story[] = [
  { name: 'at the first attempt', parts: { script: { build: [GOOD] } }, answers: [], words: {} },
  {
    name: 'after a command failed',
    parts: { script: { build: [...STUCK, GOOD] }, roles: { consultant: [ASKS] } },
    answers: [AGAIN],
    words: { output: 'GNU-OUTPUT', findings: 'GNU-OUTPUT' },
  },
  {
    name: 'after an approval gate rejected the work',
    parts: {
      script: { build: [GOOD, OTHER] },
      approvals: { code: [{ answer: REJECTS }, { answer: APPROVES }] },
      roles: { consultant: [ASKS] },
    },
    answers: [],
    words: {
      findings: {
        creator: /letter\.md:1: QUOLL-FINDING\n +what stands there: STORK-CHANGE thank you\./,
        else: 'QUOLL-FINDING',
      },
    },
  },
  {
    name: 'after a verifier rejected the work',
    parts: { script: { build: [GOOD, OTHER] }, roles: { verifier: [{ answer: DOUBTS }, { answer: CONFIRMS }] } },
    answers: [],
    words: { findings: 'WOMBAT-FINDING' },
  },
  {
    name: 'after an approval phase rejected the work',
    parts: {
      script: { build: [GOOD, ...STUCK, OTHER] },
      approvals: { tone: [{ answer: REJECTS }, { answer: APPROVES }] },
      roles: { consultant: [ASKS] },
    },
    answers: [AGAIN],
    words: {
      'why-back': {
        creator: /QUOLL-FINDING \(what stands there: STORK-CHANGE thank you\.\)/,
        else: 'QUOLL-FINDING',
      },
    },
  },
  {
    name: 'after a review rejected the work',
    parts: {
      script: {
        build: [GOOD, ...STUCK, OTHER],
        check: [
          {
            answer: {
              approved: false,
              findings: [{ severity: 'error', file: LETTER, line: 1, message: 'QUOLL-FINDING' }],
            },
          },
          { answer: { approved: true } },
        ],
      },
      roles: { consultant: [ASKS] },
    },
    answers: [AGAIN],
    words: { 'why-back': 'QUOLL-FINDING' },
  },
  {
    name: 'after a review passed it with a remark and an approval phase sent it back',
    parts: {
      phases: PHASES.map((phase) =>
        phase.id === 'approve' ? { ...phase, depends_on: ['check'], output: ['approval.json'] } : phase,
      ),
      script: {
        build: [GOOD, OTHER],
        check: [REMARKS, { answer: { approved: true } }],
      },
      approvals: { tone: [{ answer: REJECTS }, { answer: APPROVES }] },
    },
    answers: [],
    words: {
      findings: { judge: /QUOLL-FINDING|GECKO-REMARK/, verifier: /QUOLL-FINDING|GECKO-REMARK/ },
      'why-back': { creator: 'QUOLL-FINDING' },
    },
  },
  {
    name: 'after a consultant changed something',
    parts: {
      script: { build: [...STUCK, ...STUCK, GOOD] },
      roles: {
        consultant: [
          {
            answer: {
              analysis: ANALYSIS,
              decision: {
                action: 'retry_with_changes',
                additional_hints: ['IBEX-HINT'],
                spec_updates: { acceptance_criteria: ['HERON-CRITERION'] },
              },
            },
          },
          ASKS,
        ],
      },
    },
    answers: [AGAIN],
    words: { hints: 'IBEX-HINT', specification: /FINCH-CRITERION[\s\S]*HERON-CRITERION/ },
  },
  {
    name: 'after a human decided something',
    parts: { script: { build: [...STUCK, ...STUCK, GOOD] }, roles: { consultant: [ASKS] } },
    answers: [
      {
        option: 'A',
        comment: 'YAK-COMMENT',
        spec: { acceptance_criteria: ['EGRET-CRITERION'] },
        priority: 'CRANE-LATER',
      },
      AGAIN,
    ],
    words: {
      'human-words': /YAK-COMMENT[\s\S]*CRANE-LATER|CRANE-LATER[\s\S]*YAK-COMMENT/,
      specification: 'EGRET-CRITERION',
    },
  },
  {
    name: 'after a consultant went back to an earlier phase',
    parts: {
      script: { build: [...STUCK, ...STUCK, GOOD] },
      roles: {
        consultant: [
          {
            answer: {
              analysis: ANALYSIS,
              decision: {
                action: 'revert',
                plan_revert: { enabled: true, revert_to_task: 'spec', reasoning: 'OKAPI-REASON' },
              },
            },
          },
          ASKS,
        ],
      },
    },
    answers: [AGAIN],
    words: { 'why-back': /OKAPI-REASON[\s\S]*LYNX-CAUSE/ },
  },
  {
    name: 'after a human went back to an earlier phase',
    parts: { script: { build: [...STUCK, ...STUCK, GOOD] }, roles: { consultant: [ASKS] } },
    answers: [{ option: 'revert', phase: 'spec', comment: 'ZEBU-BACK' }, AGAIN],
    words: { 'why-back': 'ZEBU-BACK' },
  },
  {
    name: 'after a merge with conflicts',
    parts: {
      plan: { concurrency: 2 },
      phases: [...PHASES, { id: 'moose', type: 'documentation', depends_on: ['spec'], output: [LETTER] }],
      script: {
        build: [...STUCK, GOOD, ...STUCK, OTHER],
        moose: [{ writes: { [LETTER]: 'MOOSE-OTHER\n' } }],
      },
      roles: { consultant: [ASKS] },
    },
    answers: [AGAIN, AGAIN],
    words: { 'why-back': /`?moose`? was, and merging|the work of moose, with conflicts in letter\.md/ },
  },
  {
    name: 'after the run was killed and resumed',
    parts: { script: { build: [...STUCK, GOOD] }, roles: { consultant: [ASKS] } },
    begin: async (project) => {
      await project.startAndDie('build', 2);
      await project.resume();
    },
    answers: [AGAIN],
    words: { output: 'GNU-OUTPUT', findings: 'GNU-OUTPUT' },
  },
  {
    name: 'after the plan was edited',
    parts: { script: { build: [...STUCK, ...STUCK, ...STUCK, GOOD] }, roles: { consultant: [ASKS] } },
    begin: async (project) => {
      await project.start();
      await project.decide({ option: 'A', comment: 'YAK-COMMENT', spec: { acceptance_criteria: ['EGRET-CRITERION'] } });
      project.write('phases.yaml', project.own('phases.yaml').replace('PANDA-TASK', 'NEWT-TASK'));
      await project.replan();
    },
    answers: [AGAIN],
    words: { task: 'NEWT-TASK', 'human-words': 'YAK-COMMENT', specification: 'EGRET-CRITERION' },
  },
];

/** What is looked for, where a story plants a fact for a reader. */
export function wordFor({ words }: Story, fact: Fact, names: readonly string[]): Word | undefined {
  const planted = words[fact] ?? ALWAYS[fact];
  if (planted === undefined || typeof planted === 'string' || planted instanceof RegExp) return planted;
  return planted[names.find((name) => planted[name] !== undefined) ?? 'else'];
}

/** Plays a story to its end, and tells what everybody was told last. */
export async function play({ parts, answers, begin = (project) => project.start() }: Story): Promise<Heard> {
  const { files, plan, script, phases = PHASES, ...more } = parts;
  const project = new ToldProject({
    phases,
    plan: { workspace: 'repo', budget: { usd: 7.5, minutes: 30 }, ...plan },
    settings: { language: 'fr' },
    files: { ...FILES, ...files },
    script: { spec: [{ writes: SPEC }, { writes: { ...SPEC, 'LARK-EARLIER.txt': 'again\n' } }], ...script },
    ...more,
  });
  await begin(project);
  let human: Heard['human'];
  for (const [at, answer] of answers.entries()) {
    if (at === answers.length - 1) human = await asked(project);
    const option = answer.option === 'revert' ? await project.option('revert') : answer.option;
    await project.decide({ ...answer, option });
  }
  const { ended } = await project.state();
  if (ended?.status !== 'passed') throw new Error(`the run has not passed: ${JSON.stringify(ended)}`);
  return { ...lastSent(project.sent), ...(human && { human }) };
}

const SPEC = { 'spec.yaml': 'acceptance_criteria: [FINCH-CRITERION]\n', 'LARK-EARLIER.txt': 'there\n' };

async function asked(project: ToldProject): Promise<NonNullable<Heard['human']>> {
  const { stdout } = await helix(['decide'], { cwd: project.dir });
  return { request: project.file('phases/build/escalation/stufe-2/hil-request.json'), card: stdout };
}

function lastSent(sent: readonly Sent[]): Omit<Heard, 'human'> {
  const last = (role: Sent['role'], about?: string) => {
    const found = sent.findLast((each) => each.role === role && (about === undefined || each.about === about));
    if (found === undefined) throw new Error(`nothing was sent to a ${role} about ${about}`);
    return found;
  };
  const consultant = sent.findLast(({ role }) => role === 'consultant');
  return {
    ...{ creator: last('creator', 'build'), review: last('creator', 'check') },
    ...{ gateJudge: last('reviewer', 'code'), phaseJudge: last('reviewer', 'tone'), verifier: last('verifier') },
    ...(consultant && { consultant }),
  };
}
