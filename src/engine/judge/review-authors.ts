import { posix } from 'node:path';
import type { Author, InputFile } from '../../domain/facts/run-event.ts';
import type { Finding } from '../../domain/finding.ts';
import { creatorsBefore, nearestCreator } from '../../domain/ladder/authors.ts';
import { isReview } from '../../domain/plan/judging-phase.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { Step } from '../../domain/run/decide.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { readReview, reviewPath } from '../../gates/judge/review.ts';
import { changesOf } from '../difference/makers.ts';
import type { RunContext } from '../step/engine-ports.ts';
import { named } from './judge-tree.ts';

type JudgeStep = Extract<Step, { do: 'judge' }>;

/** Whose work a review rejects; undefined where the phase is no review, or where something else than its opinion failed. */
export async function reviewAuthors(
  { phase, tree }: JudgeStep,
  verdicts: readonly Verdict[],
  around: RunContext,
): Promise<Author[] | undefined> {
  const failed = verdicts.findIndex(({ outcome }) => outcome !== 'pass');
  const gate = phase.gates[failed];
  if (!isReview(phase) || gate?.type !== 'review_approved' || verdicts[failed]?.gate !== gate.type) return undefined;
  const review = await readReview(await around.ports.workspace.tree(tree), reviewPath(gate.settings.file, phase));
  if ('unreadable' in review || !review.rejects) return undefined;
  return share(phase, review.findings.map(named), around);
}

/** Every finding goes to one author; remarks that block nothing send nobody back to work. */
async function share(phase: Phase, findings: readonly Finding[], around: RunContext): Promise<Author[]> {
  const { plan } = around.state;
  const nearest = phase.onRejection?.target_phase ?? nearestCreator(phase, plan);
  if (nearest === undefined) return [];
  const owner = await ownerIn(phase, findings, around);
  const shares = new Map<string, string[]>();
  const give = (id: string, { fingerprint = '' }: Finding) => shares.set(id, [...(shares.get(id) ?? []), fingerprint]);
  for (const finding of findings) if (finding.severity !== 'info') give(owner(finding) ?? nearest, finding);
  if (shares.size === 0) shares.set(nearest, []);
  const [first = nearest] = shares.keys();
  for (const finding of findings) {
    const id = owner(finding) ?? nearest;
    if (finding.severity === 'info') give(shares.has(id) ? id : first, finding);
  }
  const order = plan.phases.map(({ id }) => id).filter((id) => shares.has(id));
  return order.map((id) => ({ phase: id, findings: shares.get(id) ?? [] }));
}

type Owner = (finding: Finding) => string | undefined;

/** The phase that the plan names as the author of all, else for each finding the last phase that changed its file. */
async function ownerIn(phase: Phase, findings: readonly Finding[], { ports, state }: RunContext): Promise<Owner> {
  const creators = new Set(creatorsBefore(phase, state.plan).map(({ id }) => id));
  const { fromPhase = '' } = phase.input ?? {};
  const named = phase.onRejection?.target_phase ?? (creators.has(fromPhase) ? fromPhase : undefined);
  if (named !== undefined) return () => named;
  const files = new Set(findings.flatMap(({ location }) => (location?.file === undefined ? [] : [location.file])));
  const inputs = state.phases.get(phase.id)?.current?.inputs ?? [];
  const owners = new Map<string, string>();
  const line = state.tip === undefined ? [] : await changesOf(state, ports);
  for (const file of files) {
    const path = posix.normalize(file);
    const owner =
      state.tip === undefined
        ? makerOf(path, inputs)
        : line.findLast((step) => creators.has(step.phase) && step.changed.includes(path))?.phase;
    if (owner !== undefined && creators.has(owner)) owners.set(file, owner);
  }
  return ({ location }) => owners.get(location?.file ?? '');
}

/** Where phases have directories of their own, a file is known by the input it was; by its place there, or in the phase it is from. */
function makerOf(path: string, inputs: readonly InputFile[]): string | undefined {
  const isNamed = [
    (input: InputFile) => input.path === path,
    (input: InputFile) => input.from.path === path,
    (input: InputFile) => input.path.endsWith(`/${path.replace(/^input\//, '')}`),
  ];
  for (const matches of isNamed) {
    const found = inputs.findLast(matches);
    if (found !== undefined) return found.from.phase;
  }
  return undefined;
}
