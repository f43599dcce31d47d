import { posix } from 'node:path';
import { approvalBrief } from '../approval/approval-brief.ts';
import { definitionPlaces } from '../approval/make-question.ts';
import type { Question } from '../approval/question.ts';
import type { BriefPart } from '../brief/brief-parts.ts';
import { lastTree } from '../domain/facts/last-tree.ts';
import type { InputFile } from '../domain/facts/run-event.ts';
import type { RunState } from '../domain/facts/run-state.ts';
import { HelixError } from '../domain/helix-error.ts';
import { creatorsBefore } from '../domain/ladder/authors.ts';
import type { Phase } from '../domain/plan/plan.ts';
import { present } from '../domain/present.ts';
import type { AskingContext, ToAsk } from '../gates/gate/gate-context.ts';
import { PROJECT_FOLDER, type Snapshot, type Tree } from '../ports/tree.ts';
import { freePath } from '../text/free-path.ts';
import { inputsNow } from './brief-now.ts';
import { questionFor } from './judge/question-for.ts';
import { withStandIn } from './judge/stand-in.ts';
import { changeBegan } from './judge/whole-change.ts';
import type { RunContext } from './step/engine-ports.ts';
import { questionSource } from './step/question-source.ts';
import { readInput } from './step/read-input.ts';
import { workedIn } from './step/worked.ts';
import { reproducedBefore } from './words/reproduced.ts';

type Role = Question['role'];
type Now = RunContext<'workspace' | 'project' | 'gates' | 'shippedApproval' | 'conventions' | 'secrets'>;

/** What a judge would be told, beside what it is. */
export type JudgeBriefNow = {
  readonly brief: string;
  readonly instructions: string;
  readonly parts: readonly BriefPart[];
};

/** Where the copy will lie that a judge reads; it is made when the judge is asked. */
const COPY = '<a read-only copy of the work>';
/** Stands for files that nobody has declared and nobody has made yet. */
const CHANGES = 'what the phase will have changed';

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
  const whole = changeBegan(phase, state);
  const began = whole === undefined || last === undefined ? undefined : await workspace.tree(whole);
  const context = {
    ...{ phase, inputs: inputs.map(({ path }) => path), input: readInput(inputs, workspace) },
    tree: last === undefined ? expected(isApproval ? [] : phase.output.files) : await workspace.tree(last.tree),
    base: base === undefined ? expected([]) : await workspace.tree(base),
    ...present({ reproduced: reproducedBefore(phase.id, state) }),
    ...present({ began }),
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
  asked: ToAsk,
  { tree, context }: Work,
  around: Now & { phase: Phase },
): Promise<JudgeBriefNow> {
  const { phase, ports } = around;
  const pinned =
    tree === undefined ? { request: withPlaceholder(asked) } : await withStandIn({ phase, tree }, asked, around);
  const { request } = pinned;
  const shown = 'tree' in pinned && pinned.tree !== tree ? { tree: await ports.workspace.tree(pinned.tree) } : {};
  const snapshot = unpinned(request, { ...context, ...shown }, around);
  const question = await questionFor({ phase, tree, request: { ...request, found: [] }, snapshot }, around);
  const { brief, instructions } = approvalBrief(question, COPY);
  const own = await definitionPlaces(request.type, await questionSource(around));
  const commit = around.state.base?.commit?.slice(0, 12);
  const origin = {
    state: around.state,
    definition: own.size > 0 ? `approvals/${request.type}/` : `HELIX's own approvals/${request.type}/`,
    began: commit === undefined ? 'the project, as it was when the run began' : `commit ${commit}`,
    subject: tree === undefined ? toCome(request, around.state) : 'the work of the last attempt',
  };
  return { brief: ports.secrets.redact(brief), instructions, parts: partsOf(question, origin) };
}

/** A judge is never asked about nothing: as long as no file is known, a name stands for what is to come. */
function withPlaceholder(asked: ToAsk): ToAsk {
  return asked.files.length > 0 ? asked : { ...asked, files: [`<${CHANGES}>`] };
}

function toCome({ files }: ToAsk, { source }: RunState): string {
  return files.includes(`<${CHANGES}>`) ? CHANGES : `outputs declared in ${source.path}`;
}

/** What the copy will hold, read where it lies. */
function unpinned(
  { concept, files }: ToAsk,
  { tree, inputs, input, projectFile }: AskingContext,
  { state }: Now,
): Snapshot {
  const own = [...tree.files.map(({ path }) => path), ...inputs, ...files];
  const around = state.tip === undefined ? freePath(PROJECT_FOLDER, own) : undefined;
  const beside = around === undefined || concept === undefined ? [] : [posix.join(around, concept.path)];
  const paths = [...new Set([...own, ...beside])];
  return {
    dir: COPY,
    ...present({ project: around }),
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

type Origin = {
  readonly state: RunState;
  /** The folder of the definition. */
  readonly definition: string;
  /** What the conventions are read from. */
  readonly began: string;
  /** What is judged. */
  readonly subject: string;
};

function partsOf(question: Question, { state, definition: folder, began, subject }: Origin): BriefPart[] {
  const { role, checks, definition, difference, conventions, criteria, asked, settled, concept, language } = question;
  const { path: plan } = state.source;
  // A verifier holds the work against its criteria, and nothing else.
  const told = role === 'verifier' ? [] : [...conventions.texts, ...conventions.more];
  const parts: (BriefPart | false)[] = [
    { part: 'what is asked', from: `${folder}CLAUDE.md` },
    { part: 'what to judge', from: subject },
    asked.request !== undefined && {
      part: 'request',
      from: isThere(state.request) ? 'request.md, as it was when the run began' : `${plan}: project.description`,
    },
    asked.tasks.length > 0 && { part: 'task', from: `descriptions, types and outputs in ${plan}` },
    asked.spec !== undefined && {
      part: 'specification',
      from: 'spec.yaml, with what was decided about it in this run',
    },
    criteria.length > 0 && { part: 'what the work must come to', from: `outputs in ${plan}` },
    settled.length > 0 && { part: 'what is settled', from: `gates in ${plan}` },
    concept !== undefined && { part: 'concept', from: concept },
    ...checks.map(({ id }) => ({ part: `check ${id}`, from: `${folder}checks/${id}.md` })),
    ...definition.skills.map(({ path }) => ({ part: `skill ${path}`, from: `${folder}${path}` })),
    difference !== undefined && { part: 'what changed', from: 'the trees of this run' },
    ...told.map(({ path }) => ({ part: `convention ${path.replaceAll('`', '')}`, from: began })),
    language !== undefined && { part: 'language', from: 'helix.yaml: language' },
  ];
  return parts.filter((part) => part !== false);
}

function isThere(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '';
}
