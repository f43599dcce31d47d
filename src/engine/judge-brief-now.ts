import { posix } from 'node:path';
import { approvalBrief } from '../approval/approval-brief.ts';
import type { Question } from '../approval/question.ts';
import type { BriefPart } from '../brief/brief-parts.ts';
import { lastTree } from '../domain/facts/last-tree.ts';
import type { InputFile } from '../domain/facts/run-event.ts';
import type { RunState } from '../domain/facts/run-state.ts';
import { HelixError } from '../domain/helix-error.ts';
import { creatorsBefore } from '../domain/ladder/authors.ts';
import type { Phase } from '../domain/plan/plan.ts';
import type { AskingContext, ToAsk } from '../gates/gate/gate-context.ts';
import { PROJECT_FOLDER, type Snapshot, type Tree } from '../ports/tree.ts';
import { freePath } from '../text/free-path.ts';
import { inputsNow } from './brief-now.ts';
import { questionFor } from './judge/question-for.ts';
import type { EnginePorts } from './step/engine-ports.ts';
import { readInput } from './step/read-input.ts';
import { workedIn } from './step/worked.ts';

type Role = Question['role'];
type Now = {
  readonly ports: Pick<EnginePorts, 'workspace' | 'project' | 'gates' | 'shippedApproval' | 'conventions' | 'secrets'>;
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

/** What the judges of a phase would be told now, one brief for each gate that asks one; throws HelixError `usage` where none does. */
export async function judgeBriefsNow(phase: Phase, role: Role, now: Now): Promise<JudgeBriefNow[]> {
  const work = await workNow(phase, now);
  const briefs: JudgeBriefNow[] = [];
  for (const { type, settings } of phase.gates) {
    const request = await now.ports.gates.get(type)?.asks(settings, work.context);
    if (request?.role === role) briefs.push(await judgeBrief(request, work, { phase, ...now }));
  }
  if (briefs.length > 0) return briefs;
  throw new HelixError('usage', `no gate of ${phase.id} asks a ${role}`, {
    hint: role === 'verifier' ? 'verify_agent: true on a phase asks one.' : 'A gate of the type approval asks one.',
  });
}

type Work = { readonly tree: string | undefined; readonly context: AskingContext };

/** What gates would look at now: the work of the last attempt; before there is one, what the phase declares or will be given. */
async function workNow(phase: Phase, { ports, state }: Now): Promise<Work> {
  const { workspace, project } = ports;
  const at = state.phases.get(phase.id);
  const last = at && lastTree(at);
  const isApproval = phase.type === 'approval';
  const inputs = last?.inputs ?? (isApproval ? await toJudge(phase, { ports, state }) : []);
  const base = at?.baseTree ?? (last === undefined ? undefined : state.tip?.tree);
  const context = {
    ...{ phase, inputs: inputs.map(({ path }) => path), input: readInput(inputs, workspace) },
    tree: last === undefined ? expected(isApproval ? [] : phase.output.files) : await workspace.tree(last.tree),
    base: base === undefined ? expected([]) : await workspace.tree(base),
    projectFile: async (path: string, limit: number) =>
      (await workedIn(project, state.plan.workspace))?.read(path, limit),
  };
  return { tree: last?.tree, context };
}

/** What an approval phase will judge: its inputs as far as they are known, else what the phases before it declare. */
async function toJudge(phase: Phase, now: Now): Promise<readonly InputFile[]> {
  const { inputs } = await inputsNow(phase, now);
  if (inputs.length > 0) return inputs;
  const declared = creatorsBefore(phase, now.state.plan).flatMap(({ output }) => output.files);
  return declared.map((path) => ({ path, digest: '', from: { tree: '', path } }));
}

/** Files that nobody has written yet. */
function expected(paths: readonly string[]): Tree {
  const files = paths.map((path) => ({ path: posix.normalize(path), digest: '', size: 1, executable: false }));
  return { id: '', files, problems: [], read: async () => undefined };
}

async function judgeBrief(
  request: ToAsk,
  { tree, context }: Work,
  around: Now & { phase: Phase },
): Promise<JudgeBriefNow> {
  const { phase, ports } = around;
  const snapshot = unpinned(request, context, around);
  const question = await questionFor({ phase, tree, request: { ...request, found: [] }, snapshot }, around);
  const { brief, instructions } = approvalBrief(question, COPY);
  return { brief: ports.secrets.redact(brief), instructions, parts: partsOf(question) };
}

/** What the copy will hold, read where it lies. */
function unpinned({ concept }: ToAsk, { tree, inputs, input, projectFile }: AskingContext, { state }: Now): Snapshot {
  const own = [...tree.files.map(({ path }) => path), ...inputs];
  const around = state.tip === undefined ? freePath(PROJECT_FOLDER, own) : undefined;
  const beside = around === undefined || concept === undefined ? [] : [posix.join(around, concept.path)];
  const paths = [...new Set([...own, ...beside])];
  return {
    dir: COPY,
    ...(around !== undefined && { project: around }),
    files: paths.map((path) => ({ path, sha256: '' })),
    read: async (path, limit) => {
      const found = (await tree.read(path, limit)) ?? (inputs.includes(path) ? await input(path, limit) : undefined);
      if (found !== undefined || !beside.includes(path)) return found;
      const text = await projectFile(posix.relative(around ?? '', path), limit);
      return text === undefined ? undefined : Buffer.from(text);
    },
    changed: async () => [],
    dispose: async () => undefined,
  };
}

function partsOf(question: Question): BriefPart[] {
  const { type, checks, definition, difference, conventions, criteria, asked, settled, concept } = question;
  const folder = `approvals/${type}/`;
  const parts: (BriefPart | false)[] = [
    { part: 'what is asked', from: `${folder}CLAUDE.md` },
    { part: 'what to judge', from: 'the work of the last attempt; before there is one, the declared outputs' },
    asked.request !== undefined && { part: 'request', from: 'request.md, as it was when the run began' },
    asked.tasks.length > 0 && { part: 'task', from: 'descriptions, types and outputs of the plan' },
    asked.spec !== undefined && {
      part: 'specification',
      from: 'spec.yaml, with what was decided about it in this run',
    },
    criteria.length > 0 && { part: 'what the work must come to', from: 'outputs of the plan' },
    settled.length > 0 && { part: 'what is settled', from: 'gates of the plan' },
    concept !== undefined && { part: 'concept', from: concept },
    ...checks.map(({ id }) => ({ part: `check ${id}`, from: `${folder}checks/${id}.md` })),
    ...definition.skills.map(({ path }) => ({ part: `skill ${path}`, from: `${folder}${path}` })),
    difference !== undefined && { part: 'what changed', from: 'the trees of this run' },
    ...conventions.texts.map(({ path }) => ({
      part: `convention ${path.replaceAll('`', '')}`,
      from: 'the base of the run',
    })),
  ];
  return parts.filter((part) => part !== false);
}
