import type { RunState } from '../../domain/facts/run-state.ts';
import { type Finding, hasError } from '../../domain/finding.ts';
import { gatesFileOf, planFileOf } from '../../domain/growing/growing-phase.ts';
import { fixedPhases, isGrown } from '../../domain/growing/growth-state.ts';
import { lostGuards } from '../../domain/growing/lost-guards.ts';
import { typeName } from '../../domain/kinds/phase-types-file.ts';
import { isSpecFile } from '../../domain/ladder/meeting.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import type { PlanGrowth } from '../../domain/plan-growth.ts';
import { growPlan, type Written } from '../../plan/growing/grow-plan.ts';
import type { WrittenFile } from '../../plan/growing/growing.ts';
import type { Tree } from '../../ports/tree.ts';
import { sha256 } from '../../text/digest.ts';
import type { EnginePorts } from '../step/engine-ports.ts';
import type { ExaminedGrowth, WrittenPlan } from '../step/examined-growth.ts';
import { workedIn } from '../step/worked.ts';
import { newPowers } from './new-powers.ts';
import { unrunnable } from './unrunnable.ts';
import { withTree } from './with-tree.ts';

/** What is needed to look at a plan that was written. */
export type GrowthPorts = Pick<
  EnginePorts,
  | ('workspace' | 'project' | 'findProgram' | 'models' | 'gates' | 'shippedApproval' | 'shippedConfig' | 'template')
  | ('sandbox' | 'shippedTemplates' | 'shippedSkills')
>;

const MOST_BYTES = 256 * 1024;

/** How many phases agents may add to a plan that does not say. */
const MOST_PHASES = 100;
const MOST_SHOWN = 100;

/** Reads what a phase wrote for the plan from its frozen tree, and makes of it what would follow: nothing of it takes effect. */
export async function examineGrowth(written: WrittenPlan, ports: GrowthPorts): Promise<ExaminedGrowth> {
  const { phase, state } = written;
  const tree = await ports.workspace.tree(written.tree);
  const [plan, gates] = [await readFile(tree, planFileOf(phase)), await readFile(tree, gatesFileOf(phase))];
  if (plan === undefined) return { findings: [missing(planFileOf(phase))] };
  const unreadable = [plan, gates].flatMap((file) => (file !== undefined && 'problem' in file ? [file.problem] : []));
  if ('problem' in plan || unreadable.length > 0) return { findings: unreadable };
  const source = { path: plan.path, sha256: sha256(plan.text) };
  const added =
    gates === undefined || 'problem' in gates || (await isOld(tree, gates.path, written, ports)) ? undefined : gates;
  if (await isOld(tree, plan.path, written, ports)) {
    if (added === undefined) return { findings: [], source, growth: changes(state.plan, state.plan) };
    plan.text = NO_PHASES;
  }
  const spec = await specIn(tree, phase);
  const found = await grownBy({ plan, gates: added, spec }, { written, tree }, ports);
  if (found.plan === undefined || hasError(found.findings)) return { findings: found.findings };
  const troubles = await unrunnable(found.plan, { ...written, path: plan.path }, ports);
  const findings = [...found.findings, ...troubles];
  if (hasError(findings)) return { findings };
  const growth = {
    ...changes(state.plan, found.plan),
    powers: await newPowers(found.plan, { state, workspace: ports.workspace, project: await work(ports, state) }),
    lost: lost(found.plan, written),
    phases: open(found.plan, written).slice(0, MOST_SHOWN).map(inShort),
  };
  return { findings, plan: found.plan, growth, source };
}

const NO_PHASES = 'phases: []\n';

type Text = { path: string; text: string };
type Place = { readonly written: WrittenPlan; readonly tree: Tree };

async function grownBy(files: Written, { written: { phase, state }, tree }: Place, ports: GrowthPorts) {
  const { plan, agents, creator } = state;
  const fixed = fixedPhases(state, phase.id);
  const grown = new Set(plan.phases.map(({ id }) => id).filter((id) => isAdded(id, state)));
  const worked = await work(ports, state);
  return growPlan(
    files,
    { plan, from: phase, fixed, agents, creator, grown, most: plan.maxDynamicPhases ?? MOST_PHASES },
    {
      work: state.tip === undefined ? worked : withTree(worked, tree),
      own: ports.project,
      gates: [...ports.gates.values()],
      findProgram: ports.findProgram,
      models: ports.models,
      shippedConfig: ports.shippedConfig,
      shippedNames: () => ({ templates: ports.shippedTemplates(), skills: [...ports.shippedSkills().keys()] }),
    },
  );
}

function isAdded(id: string, state: RunState): boolean {
  return isGrown(id, state) && (state.growths ?? []).some(({ added }) => added.includes(id));
}

async function work({ project }: GrowthPorts, { plan }: RunState) {
  return (await workedIn(project, plan.workspace)) ?? project;
}

async function readFile(tree: Tree, path: string): Promise<Text | { readonly problem: Finding } | undefined> {
  const bytes = await tree.read(path, MOST_BYTES + 1);
  if (bytes === undefined) return undefined;
  const problem = (message: string) => ({ problem: unusable(path, message) });
  if (bytes.length > MOST_BYTES) return problem(`it is larger than ${MOST_BYTES / 1024} KB`);
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return problem('it is not UTF-8 text');
  }
}

/** What the work is to come to, where the phase writes that, too; what is wrong with it is for another gate to say. */
async function specIn(tree: Tree, { output }: WrittenPlan['phase']): Promise<WrittenFile | undefined> {
  const path = output.files.find(isSpecFile);
  const file = path === undefined ? undefined : await readFile(tree, path);
  return file === undefined || 'problem' in file ? undefined : file;
}

function unusable(file: string, message: string): Finding {
  const hint = 'Write the plan as YAML, as short as it can be.';
  return { severity: 'error', check: 'plan-file', message, hint, location: { file } };
}

function missing(file: string): Finding {
  return unusable(file, `there is no ${file}, which the plan is to grow by`);
}

/**
 * What lay there before anybody worked says nothing: in a repository that is the plan of the run itself. Once the plan has grown by the
 * phase, it takes back what was added.
 */
async function isOld(
  tree: Tree,
  path: string,
  { phase, state }: WrittenPlan,
  { workspace }: GrowthPorts,
): Promise<boolean> {
  const base = state.phases.get(phase.id)?.baseTree;
  const hasGrown = (state.growths ?? []).some((growth) => growth.phase === phase.id && growth.kept === undefined);
  if (base === undefined || hasGrown) return false;
  const digest = ({ files }: Tree) => files.find((file) => file.path === path)?.digest;
  return digest(tree) !== undefined && digest(tree) === digest(await workspace.tree(base));
}

function changes(before: Plan, after: Plan): PlanGrowth {
  const old = new Map(before.phases.map((phase) => [phase.id, JSON.stringify(phase)]));
  const ids = new Set(after.phases.map(({ id }) => id));
  return {
    added: after.phases.filter(({ id }) => !old.has(id)).map(({ id }) => id),
    changed: after.phases
      .filter((phase) => old.has(phase.id) && old.get(phase.id) !== JSON.stringify(phase))
      .map(({ id }) => id),
    dropped: before.phases.filter(({ id }) => !ids.has(id)).map(({ id }) => id),
    powers: [],
    lost: [],
  };
}

function lost(plan: Plan, written: WrittenPlan): string[] {
  return lostGuards(open(written.state.plan, written), open(plan, written));
}

/** The phases of a plan that have not begun. */
function open({ phases }: Plan, { phase, state }: WrittenPlan): Phase[] {
  const fixed = new Set(fixedPhases(state, phase.id).map(({ id }) => id));
  return phases.filter(({ id }) => !fixed.has(id));
}

function inShort({ id, type, ownType, gates }: Phase): NonNullable<PlanGrowth['phases']>[number] {
  return {
    ...{ id, type: typeName({ type, ownType }), gates: gates.map((gate) => gate.type) },
    judged: gates.some((gate) => gate.type === 'approval' || gate.type === 'verification'),
  };
}
