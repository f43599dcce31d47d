import { judgeIdentity, mergeKey, questionKey } from '../../approval/approval-key.ts';
import type { ApprovalAnswer, ApprovalRequest, Approver } from '../../approval/approver.ts';
import { askJudge } from '../../approval/ask-judge.ts';
import type { Asked } from '../../approval/judge.ts';
import type { Question } from '../../approval/question.ts';
import type { Judges } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { ApprovalResult, ApprovalSettings } from '../../domain/judge/approval.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { Step } from '../../domain/run/decide.ts';
import { failurePolicy } from '../../domain/verdict.ts';
import type { Cache } from '../../ports/cache.ts';
import type { Snapshot } from '../../ports/tree.ts';
import { renderJson } from '../../report/words/json.ts';
import { approvalPath } from '../../report/words/run-paths.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { StepContext } from '../step/engine-ports.ts';
import { type ChosenJudge, inNeutralDirectory, openJudge, reserve, withSnapshot } from '../step/fresh-judge.ts';
import { questionFor } from './question-for.ts';
import { withStandIn } from './stand-in.ts';

const MOST_WORDS = 2000;

type JudgeStep = Extract<Step, { do: 'judge' }>;

/**
 * The way from the gates of a phase to independent judges; every answer is a fact of the run before it counts. After a merge the
 * gates of other phases are asked, too: about what these phases were given, in the merged tree.
 */
export function approverFor(step: JudgeStep, of: Phase, context: StepContext): Approver {
  const { state } = context.recorder;
  const inputs = state.phases.get(of.id)?.current?.inputs ?? [];
  return {
    given: state.approvals
      .filter((given) => given.void !== true)
      .map(({ phase, result }) => ({ result, outputs: outputsOf(phase, state), vouched: isVouched(phase, state) })),
    inputs: inputs.map(({ path }) => path),
    ask: (request) => new Approval({ step, of, request }, context).answer(),
  };
}

type Choice = { readonly role: Question['role']; readonly settings: ApprovalSettings; readonly judges: Judges };

/** Who judges: the one the user named for everything, the approval phase's own, that of config/approvals.yaml, else that of the role. */
export function judgeFor({ type, agent }: Phase, { role, settings, judges }: Choice): string {
  if (judges.fixed === true) return judges[role];
  return (type === 'approval' ? agent : undefined) ?? settings.agent ?? judges[role];
}

type Keys = { readonly key: string; readonly mergeKey: string };

/** What a gate of a phase asks in a judgement. */
type AskedApproval = { readonly step: JudgeStep; readonly of: Phase; readonly request: ApprovalRequest };

/** One approval: from the question to the fact. */
class Approval {
  readonly #step: JudgeStep;
  readonly #of: Phase;
  readonly #request: ApprovalRequest;
  readonly #context: StepContext;
  readonly #id: string;
  #started = false;

  constructor({ step, of, request }: AskedApproval, context: StepContext) {
    this.#step = step;
    this.#of = of;
    this.#request = request;
    this.#context = context;
    this.#id = context.ports.newApprovalId();
  }

  async answer(): Promise<ApprovalAnswer> {
    const { ports, recorder, signal } = this.#context;
    const { tree } = this.#step;
    const phase = this.#of;
    const inputs = recorder.state.phases.get(phase.id)?.current?.inputs ?? [];
    let request = this.#request;
    return withSnapshot<Snapshot, ApprovalAnswer>(
      async () => {
        const pinned = await withStandIn({ phase, tree }, request, { ports, state: recorder.state });
        request = pinned.request;
        return ports.workspace.snapshot(phase, pinned.tree, inputs, signal);
      },
      async (snapshot) => this.#ask(await this.#question(request, snapshot)),
      (cut) => ({ kind: 'interrupted', ...cut }),
    );
  }

  #question(request: ApprovalRequest, snapshot: Snapshot): Promise<Question> {
    const { ports, recorder } = this.#context;
    const { tree } = this.#step;
    return questionFor({ phase: this.#of, tree, request, snapshot }, { ports, state: recorder.state });
  }

  async #ask(question: Question): Promise<ApprovalAnswer> {
    const { ports, recorder } = this.#context;
    const chosen = await this.#choose(question);
    const { agent, model } = chosen;
    const judge = judgeIdentity({ agent, version: agent.version, model, sandbox: ports.sandbox });
    const keys = { key: questionKey(question, judge), mergeKey: mergeKey(question, judge) };
    const known = recorder.state.approvals.findLast(
      (given) => given.key === keys.key && given.phase === this.#step.phase.id,
    );
    // Within a run an opinion is never asked for twice.
    if (known !== undefined) return { kind: 'answered', result: await this.#again(known) };
    const merged = this.#beforeMerge(keys.mergeKey);
    if (merged !== undefined) return { kind: 'answered', result: merged };
    return this.#conclude(await this.#perform(question, chosen), { keys, question });
  }

  /** An opinion about content that a merge with the work of others has left as it was. */
  #beforeMerge(key: string): ApprovalResult | undefined {
    const { phases, approvals } = this.#context.recorder.state;
    const { joined = [], besides = [] } = phases.get(this.#step.phase.id)?.current ?? {};
    const merged = [...joined, ...besides];
    if (merged.length === 0) return undefined;
    const given = approvals.findLast(
      (known) =>
        known.void !== true && known.mergeKey === key && [this.#step.phase.id, ...merged].includes(known.phase),
    );
    return given?.result;
  }

  /** The opinion about work that came back unchanged counts again, as a fact of its own. */
  async #again(known: RunState['approvals'][number]): Promise<ApprovalResult> {
    if (known.void !== true) return known.result;
    const { ports, recorder } = this.#context;
    const keys = { key: known.key, ...present({ mergeKey: known.mergeKey }) };
    const about = { phase: this.#step.phase.id, attempt: this.#step.attempt, approval: this.#id, ...keys };
    const result = { ...known.result, approval_id: this.#id, timestamp: ports.clock.now(), cached: true };
    const cost = { usd: 0, basis: 'reported' } as const;
    await recorder.happened({ type: 'approval_finished', data: { ...about, result, cost, durationMs: 0 } });
    return result;
  }

  #choose({ role, settings }: Question): Promise<ChosenJudge> {
    const { judges } = this.#context.recorder.state;
    return openJudge(judgeFor(this.#of, { role, settings, judges }), this.#context, settings.model);
  }

  async #perform(question: Question, { agent, name, model }: ChosenJudge): Promise<Asked> {
    const { ports, recorder, signal, watchers } = this.#context;
    const { phase, attempt } = this.#step;
    const { state } = recorder;
    const { fallbackModel: fallback } = question.settings;
    const path = `${approvalPath(this.#id)}/transcript.jsonl`;
    return inNeutralDirectory(ports, { path, onText: (text) => watchers.onText?.(phase.id, text) }, async (around) =>
      askJudge(question, {
        ...{ agent, name, sandbox: ports.sandbox, clock: ports.clock, signal, id: this.#id, ...around },
        ...present({ version: agent.version, model }),
        ...(fallback !== undefined && { fallbackModel: await ports.modelId(fallback) }),
        marker: `${state.marker}:${phase.id}:${attempt}:approval:${this.#id}`,
        turn: state.asked[question.type] ?? 0,
        ...present({ refused: state.phases.get(phase.id)?.current?.unusable?.[question.type] }),
        // What a script says depends on the script, which no key knows.
        ...(!agent.simulated && { cache: olderThan(state.startedAt, await ports.cache()) }),
        reserve: () => this.#reserve(question, { name, model }),
        onSpent: (usd) => watchers.onSpent?.(phase.id, usd),
      }),
    );
  }

  async #reserve({ type, role, settings }: Question, { name, model }: Pick<ChosenJudge, 'name' | 'model'>) {
    const { phase, attempt } = this.#step;
    const limits = { timeoutMs: settings.timeoutSeconds * 1000, ...present({ usd: settings.budgetUsd }) };
    const kept = await reserve({ role: 'judge', phase, agent: name, ...limits }, this.#context, (reserved) => ({
      type: 'approval_started',
      data: {
        ...{ phase: phase.id, attempt, approval: this.#id, of: type, role, agent: name },
        ...present({ model }),
        ...reserved,
      },
    }));
    this.#started = kept !== undefined;
    return kept;
  }

  async #conclude(asked: Asked, { keys, question }: { keys: Keys; question: Question }): Promise<ApprovalAnswer> {
    const { ports, recorder } = this.#context;
    const about = { phase: this.#step.phase.id, attempt: this.#step.attempt, approval: this.#id };
    const { durationMs } = asked;
    if (asked.kind === 'interrupted') return this.#interrupted(asked, question);
    const { result, noOpinion, record, brief, cost } = asked;
    await ports.files.write(`${approvalPath(this.#id)}/record.json`, renderJson(record));
    await ports.files.write(`${approvalPath(this.#id)}/brief.md`, ports.secrets.redact(brief));
    if (noOpinion !== undefined) {
      await ports.files.write(`${approvalPath(this.#id)}/unusable-answer.json`, renderJson(result));
      const message = oneLine(`the judge did not answer what it was asked: ${noOpinion}`, MOST_WORDS);
      return this.#interrupted({ failure: 'schema', message, cost, durationMs }, question);
    }
    await recorder.happened({ type: 'approval_finished', data: { ...about, ...keys, result, cost, durationMs } });
    return { kind: 'answered', result };
  }

  /** No opinion: it is asked for again as the settings say, and whoever made the work hears nothing of it. */
  async #interrupted(
    { failure, message, cost, durationMs }: Omit<Extract<Asked, { kind: 'interrupted' }>, 'kind'>,
    { settings }: Question,
  ): Promise<ApprovalAnswer> {
    if (this.#started) {
      const about = { phase: this.#step.phase.id, attempt: this.#step.attempt, approval: this.#id };
      const data = { ...about, failure, message, durationMs, ...present({ cost }) };
      await this.#context.recorder.happened({ type: 'approval_interrupted', data });
    }
    const final = !settings.retryOnFailure && failurePolicy(failure) === 'retry';
    return { kind: 'interrupted', failure, message, ...(final && { final }) };
  }
}

/** What was written since a run began may be the work of its agents. */
function olderThan(startedAt: string, cache: Cache): Cache {
  return {
    get: (key) => cache.get(key, new Date(startedAt)),
    put: (key, text) => cache.put(key, text),
    remove: (key) => cache.remove(key),
  };
}

/** A human let the phase pass where its judge was not sure. */
function isVouched(id: string, { phases }: RunState): boolean {
  const at = phases.get(id);
  return at?.rulings.vouched?.given === true && at.status === 'passed';
}

/** Where an approval phase puts a copy of its result. */
function outputsOf(id: string, { plan }: RunState): readonly string[] {
  return plan.phases.find((phase) => phase.id === id)?.output.files ?? [];
}
