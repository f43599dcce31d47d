import type { Step } from '../domain/decide.ts';
import { type Finding, hasError } from '../domain/finding.ts';
import type { Gate } from '../domain/gate.ts';
import { HelixError } from '../domain/helix-error.ts';
import type { Phase } from '../domain/plan.ts';
import type { FailureClass, Tests, Verdict } from '../domain/verdict.ts';
import type { GateContext } from '../ports.ts';
import { excerpt } from '../text/sanitise.ts';
import { commandKey } from './command-key.ts';
import type { EnginePorts, Watchers } from './engine-ports.ts';
import { failureOf, wordsOf } from './failure.ts';
import type { Recorder } from './recorder.ts';

const MAX_FINDINGS = 200;
const MAX_MESSAGE = 2000;
const MARKED_LIMIT = 16 * 1024 * 1024;

type JudgeStep = Extract<Step, { do: 'judge' }>;
type Context = { ports: EnginePorts; recorder: Recorder; signal: AbortSignal; watchers: Watchers };

/** Lets the phase's gates judge a frozen tree, in order, up to the first that does not pass. */
export async function performJudgement(step: JudgeStep, context: Context): Promise<void> {
  const { phase, attempt } = step;
  const scratch = new Scratch(step, context);
  const verdicts: Verdict[] = [];
  try {
    const facts = await gateContext(step, context, scratch);
    const noticed = await noticedBefore(step, facts, context);
    for (const { gate, of } of gatesFor(step, context)) {
      context.watchers.onGate?.(phase.id, gate.type);
      const began = context.ports.clock.monotonic();
      const before = testsBefore(gate, context);
      const asked = { ...facts, phase: of, ...(before !== undefined && { before }) };
      const answer = await definition(gate.type, context.ports).judge(gate.settings, asked);
      if (answer.kind === 'interrupted') return await cutShort(step, context, { ...answer, gate: gate.type });
      const unkept = verdicts.length === 0 ? noticed : [];
      const findings = bounded([...answer.findings, ...unkept]);
      const outcome = answer.outcome === 'pass' && hasError(unkept) ? 'reject' : answer.outcome;
      const durationMs = Math.round(context.ports.clock.monotonic() - began);
      const { tests } = answer;
      verdicts.push({ gate: gate.type, outcome, findings, tree: step.tree, durationMs, ...(tests && { tests }) });
      if (outcome !== 'pass') break;
    }
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    return await cutShort(step, context, { gate: 'workspace', failure, message: wordsOf(error) });
  } finally {
    await scratch.dispose();
  }
  await context.recorder.happened({ type: 'attempt_judged', data: { phase: phase.id, attempt, verdicts } });
}

type Asked = { readonly gate: Gate; readonly of: Phase };

/** The phase's own gates; where its tree was merged with others', the commands of all of them instead. */
function gatesFor({ phase }: JudgeStep, { ports, recorder }: Context): Asked[] {
  const { plan, phases } = recorder.state;
  const joined = phases.get(phase.id)?.current?.joined;
  if (joined === undefined) return phase.gates.map((gate) => ({ gate, of: phase }));
  const others = joined.flatMap((id) => plan.phases.find((each) => each.id === id) ?? []);
  const asked = new Map<string, Asked>();
  for (const of of [phase, ...others]) {
    for (const gate of of.gates) {
      const command = commandKey(gate, ports.gates);
      if (command !== undefined && !asked.has(command)) asked.set(command, { gate, of });
    }
  }
  return [...asked.values()];
}

/** What the same command counted when it last passed or, before that, on the untouched tree. */
function testsBefore(gate: Gate, { ports, recorder }: Context): Tests | undefined {
  const { state } = recorder;
  const command = commandKey(gate, ports.gates);
  if (command === undefined) return undefined;
  for (const id of state.order.toReversed()) {
    const phase = state.plan.phases.find((each) => each.id === id);
    const index = phase?.gates.findIndex((each) => commandKey(each, ports.gates) === command) ?? -1;
    const tests = state.phases.get(id)?.lastVerdicts[index]?.tests;
    if (tests !== undefined) return tests;
  }
  return state.tried.find((tried) => tried.command === command)?.tests;
}

/** What has to be said before any gate: what the workspace noticed, and conflicts that are still there. */
async function noticedBefore({ phase }: JudgeStep, { tree }: GateContext, { recorder }: Context): Promise<Finding[]> {
  const at = recorder.state.phases.get(phase.id);
  const marked: Finding[] = [];
  for (const file of at?.conflicted ?? []) {
    const text = (await tree.read(file, MARKED_LIMIT))?.toString('utf8') ?? '';
    if (/^(<{7}|>{7}) /m.test(text)) marked.push(stillInConflict(file));
  }
  return [...tree.problems, ...(at?.current?.notices ?? []), ...marked];
}

function stillInConflict(file: string): Finding {
  return {
    severity: 'error',
    check: 'merge-conflict',
    message: `${file} still has conflict markers`,
    hint: 'Make one version of the two, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.',
    location: { file },
  };
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
