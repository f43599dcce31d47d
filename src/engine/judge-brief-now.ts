import { approvalBrief } from '../approval/approval-brief.ts';
import { readAsked } from '../approval/make-question.ts';
import type { Question } from '../approval/question.ts';
import type { BriefPart } from '../brief/brief-parts.ts';
import { lastTree } from '../domain/facts/last-tree.ts';
import type { RunState } from '../domain/facts/run-state.ts';
import { HelixError } from '../domain/helix-error.ts';
import type { Gate } from '../domain/plan/gate.ts';
import type { Phase } from '../domain/plan/plan.ts';
import { present } from '../domain/present.ts';
import { criteriaOf } from '../gates/judge/verification.ts';
import { differenceOf } from './judge/difference.ts';
import type { EnginePorts } from './step/engine-ports.ts';
import { questionSource } from './step/question-source.ts';

type Role = Question['role'];
type Now = {
  readonly ports: Pick<EnginePorts, 'workspace' | 'project' | 'shippedApproval' | 'conventions' | 'secrets'>;
  readonly state: RunState;
};

/** What a judge would be told, beside what it is. */
export type JudgeBriefNow = {
  readonly brief: string;
  readonly instructions: string;
  readonly parts: readonly BriefPart[];
};

/** Where the copy will lie that a judge reads; it is made when the judge is asked. */
const COPY = '<a read-only copy of the work>';
const UNPINNED: Question['snapshot'] = {
  dir: COPY,
  files: [],
  read: async () => undefined,
  changed: async () => [],
  dispose: async () => undefined,
};

/** What the judges of a phase would be told now, one brief for each gate that asks one; throws HelixError `usage` where none does. */
export async function judgeBriefsNow(phase: Phase, role: Role, now: Now): Promise<JudgeBriefNow[]> {
  const wanted = role === 'verifier' ? 'verification' : 'approval';
  const gates = phase.gates.filter(({ type }) => type === wanted);
  if (gates.length === 0) {
    throw new HelixError('usage', `no gate of ${phase.id} asks a ${role}`, {
      hint: role === 'verifier' ? 'verify_agent: true on a phase asks one.' : 'A gate of the type approval asks one.',
    });
  }
  return Promise.all(gates.map((gate) => judgeBrief(gate, role, { phase, ...now })));
}

async function judgeBrief(
  { type, settings }: Gate,
  role: Role,
  around: Now & { phase: Phase },
): Promise<JudgeBriefNow> {
  const { phase, state, ports } = around;
  const of = type === 'verification' ? type : String(settings.approval_type);
  const checks = Array.isArray(settings.checks) ? settings.checks.map(String) : undefined;
  const source = await questionSource(around);
  const asked = await readAsked({ type: of, ...present({ checks }) }, source);
  const at = state.phases.get(phase.id);
  const last = at && lastTree(at);
  const difference = last && (await differenceOf({ do: 'judge', phase, ...last }, { type: of }, around));
  const question: Question = {
    ...{ type: of, role, ...asked, snapshot: UNPINNED, found: [], conventions: source.conventions },
    inputs: (await judgedPaths(around, last)).map((path) => ({ path, sha256: '' })),
    ...present({ difference }),
    language: source.language,
    criteria: role === 'verifier' ? criteriaOf(phase) : [],
  };
  const { brief, instructions } = approvalBrief(question, COPY);
  return { brief: ports.secrets.redact(brief), instructions, parts: partsOf(question) };
}

/** What the last attempt made; before there is one, what the phase declares. */
async function judgedPaths(
  { phase, ports, state }: Now & { phase: Phase },
  last: ReturnType<typeof lastTree>,
): Promise<readonly string[]> {
  if (phase.type === 'approval') return (last?.inputs ?? []).map(({ path }) => path);
  const from = state.phases.get(phase.id)?.baseTree;
  if (last === undefined || from === undefined) return phase.output.files;
  const before = new Map((await ports.workspace.tree(from)).files.map(({ path, digest }) => [path, digest]));
  const made = (await ports.workspace.tree(last.tree)).files;
  return made.filter(({ path, digest }) => before.get(path) !== digest).map(({ path }) => path);
}

function partsOf({ type, checks, definition, difference, conventions, criteria }: Question): BriefPart[] {
  const folder = `approvals/${type}/`;
  return [
    { part: 'what is asked', from: `${folder}CLAUDE.md` },
    { part: 'what to judge', from: 'the work of the last attempt; before there is one, the declared outputs' },
    ...(criteria.length > 0 ? [{ part: 'what the work must come to', from: 'outputs and gates of the plan' }] : []),
    ...checks.map(({ id }) => ({ part: `check ${id}`, from: `${folder}checks/${id}.md` })),
    ...definition.skills.map(({ path }) => ({ part: `skill ${path}`, from: `${folder}${path}` })),
    ...(difference === undefined ? [] : [{ part: 'what changed', from: 'the trees of this run' }]),
    ...conventions.texts.map(({ path }) => ({
      part: `convention ${path.replaceAll('`', '')}`,
      from: 'the base of the run',
    })),
  ];
}
