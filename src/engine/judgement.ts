import type { Step } from '../domain/decide.ts';
import { type Finding, hasError } from '../domain/finding.ts';
import { HelixError } from '../domain/helix-error.ts';
import type { FailureClass, Verdict } from '../domain/verdict.ts';
import type { GateContext } from '../ports.ts';
import { excerpt } from '../text/sanitise.ts';
import type { EnginePorts, Watchers } from './engine-ports.ts';
import type { Recorder } from './recorder.ts';

const MAX_FINDINGS = 200;
const MAX_MESSAGE = 2000;

type JudgeStep = Extract<Step, { do: 'judge' }>;
type Context = { ports: EnginePorts; recorder: Recorder; signal: AbortSignal; watchers: Watchers };

/** Lets the phase's gates judge a frozen tree, in order, up to the first that does not pass. */
export async function performJudgement(step: JudgeStep, context: Context): Promise<void> {
  const { phase, attempt } = step;
  const scratch = new Scratch(step, context);
  const verdicts: Verdict[] = [];
  try {
    const facts = await gateContext(step, context, scratch);
    for (const gate of phase.gates) {
      context.watchers.onGate?.(phase.id, gate.type);
      const began = context.ports.clock.monotonic();
      const answer = await definition(gate.type, context.ports).judge(gate.settings, facts);
      if (answer.kind === 'interrupted') return await cutShort(step, context, { ...answer, gate: gate.type });
      const unkept = verdicts.length === 0 ? facts.tree.problems : [];
      const findings = bounded([...answer.findings, ...unkept]);
      const outcome = answer.outcome === 'pass' && hasError(unkept) ? 'reject' : answer.outcome;
      const durationMs = Math.round(context.ports.clock.monotonic() - began);
      verdicts.push({ gate: gate.type, outcome, findings, tree: step.tree, durationMs });
      if (outcome !== 'pass') break;
    }
  } catch (error) {
    if (!(error instanceof HelixError) || error.code !== 'io') throw error;
    return await cutShort(step, context, { gate: 'workspace', failure: 'workspace', message: error.message });
  } finally {
    await scratch.dispose();
  }
  await context.recorder.happened({ type: 'attempt_judged', data: { phase: phase.id, attempt, verdicts } });
}

/** A gate may have much to say; what is kept must be fit for a journal, a brief and a reader. */
function bounded(findings: readonly Finding[]): Finding[] {
  const errorsFirst = findings.length > MAX_FINDINGS ? findings.toSorted((a, b) => rank(a) - rank(b)) : findings;
  const kept = errorsFirst
    .slice(0, MAX_FINDINGS)
    .map((finding) => ({ ...finding, message: excerpt(finding.message, MAX_MESSAGE) }));
  const more = findings.length - kept.length;
  if (more <= 0) return kept;
  return [...kept, { severity: 'info', check: 'findings', message: `and ${more} more findings, which were not kept` }];
}

function rank({ severity }: Finding): number {
  return severity === 'error' ? 0 : severity === 'warning' ? 1 : 2;
}

function definition(type: string, { gates }: EnginePorts) {
  const gate = gates.get(type);
  if (gate === undefined) throw new HelixError('not_built', `the gate ${type} is not built`);
  return gate;
}

async function gateContext(
  step: JudgeStep,
  { ports, recorder, signal }: Context,
  scratch: Scratch,
): Promise<GateContext> {
  const { phase, attempt, tree } = step;
  const { state } = recorder;
  const judged = await ports.workspace.tree(tree);
  const base = state.phases.get(phase.id)?.baseTree;
  return {
    phase,
    attempt,
    tree: judged,
    base: base === undefined ? judged : await ports.workspace.tree(base),
    project: ports.project.dir,
    env: ports.env,
    marker: `${state.marker}:${phase.id}:${attempt}:gate`,
    processes: ports.processes,
    signal,
    directory: () => scratch.directory(),
  };
}

async function cutShort(
  { phase, attempt }: JudgeStep,
  { recorder }: Context,
  cut: { gate: string; failure: FailureClass; message: string },
): Promise<void> {
  const { gate, failure, message } = cut;
  await recorder.happened({ type: 'judging_interrupted', data: { phase: phase.id, attempt, gate, failure, message } });
}

/** The copy of the judged tree that commands run in: made when first asked for, gone afterwards. */
class Scratch {
  readonly #step: JudgeStep;
  readonly #context: Context;
  #checkout: Promise<{ dir: string; dispose(): Promise<void> }> | undefined;

  constructor(step: JudgeStep, context: Context) {
    this.#step = step;
    this.#context = context;
  }

  async directory(): Promise<string> {
    const { phase, tree } = this.#step;
    const inputs = this.#context.recorder.state.phases.get(phase.id)?.current?.inputs ?? [];
    this.#checkout ??= this.#context.ports.workspace.checkout(phase, tree, inputs);
    return (await this.#checkout).dir;
  }

  async dispose(): Promise<void> {
    const checkout = await this.#checkout?.catch(() => undefined);
    await checkout?.dispose();
  }
}
