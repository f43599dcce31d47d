import type { ErrorPattern } from '../../domain/plan/escalation-settings.ts';
import { PLAN_GATE } from '../../domain/plan-growth.ts';
import { present } from '../../domain/present.ts';
import type { Step } from '../../domain/run/decide.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { GateContext } from '../../gates/gate/gate-context.ts';
import { oneLine } from '../../text/sanitise.ts';
import { noticedInWork } from '../attempt/noticed-in-work.ts';
import { commandKey } from '../step/command-key.ts';
import type { StepContext } from '../step/engine-ports.ts';
import { readInput } from '../step/read-input.ts';
import { testsBefore } from '../step/tests-before.ts';
import { gateWalls } from '../step/walls.ts';
import { gateTexts } from '../step/worked.ts';
import { failedEarlier, reproducedBefore, shownIn } from '../words/reproduced.ts';
import { leaveResult } from './acceptance.ts';
import { approverFor } from './approver.ts';
import { type Asked, judgeTree, noticedBefore, withScratch, workedBefore } from './judge-tree.ts';
import { projectFiles } from './project-files.ts';
import { asPublished, publishedTree } from './published-tree.ts';
import { reviewAuthors } from './review-authors.ts';
import { settingsOrigin } from './settings-origin.ts';
import { changeBegan, plannedFrom } from './whole-change.ts';

type JudgeStep = Extract<Step, { do: 'judge' }>;

/** Lets the phase's gates judge a frozen tree, and records what they say or why they could not. */
export async function performJudgement(step: JudgeStep, context: StepContext): Promise<void> {
  const { phase, attempt } = step;
  const { ports, recorder, watchers } = context;
  const { workspace } = ports;
  const inputs = recorder.state.phases.get(phase.id)?.current?.inputs ?? [];
  const published = await publishedTree(phase, { tree: step.tree, inputs }, { state: recorder.state, workspace });
  const { verdicts, cut } = await withScratch(
    {
      watch: () => workspace.watch(phase),
      checkout: (extent) => {
        const content = (extent === 'published' && published?.content) || { tree: step.tree, inputs };
        return workspace.checkout(phase, content.tree, content.inputs, context.signal);
      },
    },
    async (scratch) => {
      const facts = await gateContext(step, context, () => scratch.directory('whole'));
      return judgeTree(facts, {
        gates: ports.gates,
        clock: ports.clock,
        noticed: [
          ...(await noticedBefore(phase, facts.tree, recorder.state)),
          ...(await noticedInWork(
            { ...facts, plan: recorder.state.plan, inputs: inputs.map(({ path }) => path) },
            ports.secrets,
          )),
        ],
        asked: gatesFor(step, context),
        approver: (of) => approverFor(step, of, context),
        before: (gate) => testsBefore({ gate, phase: phase.id }, recorder.state, ports.gates),
        failedEarlier: (gate) => failedEarlier(gate, { phase: phase.id, gates: ports.gates }, recorder.state),
        worked: (gate) => workedBefore(gate, recorder.state, ports.gates),
        ...present({
          published:
            published &&
            asPublished(published, {
              directory: () => scratch.directory('published'),
              variant: (content) => workspace.variant(phase, { ...content, signal: context.signal }),
            }),
        }),
        onGate: (gate) => watchers.onGate?.(phase.id, gate),
        scratch,
      });
    },
  );
  const at = { phase: phase.id, attempt };
  if (cut !== undefined) {
    const heard = verdicts.length === 0 ? undefined : [...verdicts];
    return recorder.happened({ type: 'judging_interrupted', data: { ...at, ...cut, ...present({ heard }) } });
  }
  const matched = await matchedPattern(verdicts, recorder.state.escalation.errorPatterns);
  const authors = await reviewAuthors(step, verdicts, { ports, state: recorder.state });
  const data = { ...at, verdicts: [...verdicts], ...present({ matched, authors }) };
  await recorder.happened({ type: 'attempt_judged', data });
  if (verdicts.some(({ outcome }) => outcome !== 'pass')) await leaveResult(phase, { ports, state: recorder.state });
}

/** The first pattern that an error of a failed judgement matches. */
async function matchedPattern(
  verdicts: readonly Verdict[],
  patterns: readonly ErrorPattern[],
): Promise<ErrorPattern | undefined> {
  if (patterns.length === 0 || verdicts.every(({ outcome }) => outcome === 'pass')) return undefined;
  const { matchesRe2 } = await import('../../text/re2.ts');
  const errors = verdicts.flatMap(({ findings }) => findings).filter(({ severity }) => severity === 'error');
  return patterns.find(({ pattern }) =>
    errors.some(({ check, message, output = '' }) =>
      [check, message, output].some((text) => matchesRe2(pattern, text)),
    ),
  );
}

/** Gates whose verdict belongs to content: after a merge they are asked again, and answer at once where that content is the same. */
const OF_CONTENT: ReadonlySet<string> = new Set([
  'approval',
  'approval_passed',
  'adr_complete',
  'verification',
  PLAN_GATE,
]);

/** The phase's own gates; where its tree was merged with others', the commands and judges of all of them. */
function gatesFor({ phase }: JudgeStep, { ports, recorder }: StepContext): Asked[] {
  const { plan, phases } = recorder.state;
  const { joined, besides = [] } = phases.get(phase.id)?.current ?? {};
  const own = joined === undefined ? phase.gates.map((gate) => ({ gate, of: phase })) : [];
  const merged = [...new Set([...(joined ?? []), ...besides])];
  const others = merged.flatMap((id) => plan.phases.find((each) => each.id === id) ?? []);
  const known = new Set(own.map(({ gate }) => commandKey(gate, ports.gates)));
  const asked = new Map<string, Asked>();
  for (const of of joined === undefined ? others : [phase, ...others]) {
    for (const gate of of.gates) {
      // What another phase wrote for the plan has been taken into it already.
      if (gate.type === PLAN_GATE && of !== phase) continue;
      const command =
        commandKey(gate, ports.gates) ??
        (OF_CONTENT.has(gate.type) ? `${of.id} ${JSON.stringify(gate.settings)} ${gate.type}` : undefined);
      const because = `after your work was merged with that of ${merged.join(', ')}, this gate of ${of.id} fails: ${oneLine(JSON.stringify(gate.settings.command ?? gate.type), 300)}`;
      if (command === undefined || known.has(command) || asked.has(command)) continue;
      asked.set(command, { gate, of, because });
    }
  }
  return [...own, ...asked.values()];
}

async function gateContext(
  step: JudgeStep,
  context: StepContext,
  directory: () => Promise<string>,
): Promise<GateContext> {
  const { phase, attempt, tree } = step;
  const { ports, recorder, signal } = context;
  const { state } = recorder;
  const judged = await ports.workspace.tree(tree);
  const from = plannedFrom(phase, state) ?? state.phases.get(phase.id)?.baseTree;
  const base = from === undefined ? judged : await ports.workspace.tree(from);
  const whole = changeBegan(phase, state);
  const began = whole === undefined || whole === from ? undefined : await ports.workspace.tree(whole);
  const inputs = state.phases.get(phase.id)?.current?.inputs ?? [];
  const last = state.phases.get(phase.id)?.judgedTree;
  const former = last === undefined || last === tree ? undefined : await ports.workspace.tree(last);
  const settings = await settingsOrigin(phase, state, ports.workspace);
  const reproduced = reproducedBefore(phase.id, state);
  const bug = shownIn(phase.id, state);
  const shown = bug === undefined ? undefined : await ports.workspace.tree(bug);
  return {
    phase,
    attempt,
    tree: judged,
    base,
    project: ports.project.dir,
    input: readInput(inputs, ports.workspace),
    variant: (changes) => ports.workspace.variant(phase, { tree, inputs, changes, signal }),
    ...gateTexts(ports.project, state.plan.workspace, base),
    projectFiles: () => projectFiles({ tree: judged, inputs }, state, ports),
    shippedConfig: ports.shippedConfig,
    programsIn: state.tip === undefined ? 'project' : 'copy',
    env: ports.env,
    marker: `${state.marker}:${phase.id}:${attempt}:gate`,
    processes: ports.processes,
    walls: gateWalls({ ...ports, isolation: state.isolation }),
    signal,
    directory,
    ...present({ settings, former, began, reproduced, shown }),
    grown: () => ports.grownPlan({ phase, tree, state }),
    approver: approverFor(step, phase, context),
  };
}
