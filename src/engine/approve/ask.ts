import { askJudge, recallAnswer } from '../../approval/ask-judge.ts';
import type { Asked } from '../../approval/judge.ts';
import type { Question } from '../../approval/question.ts';
import type { ApprovalInterruption } from '../../domain/documents/approval-document.ts';
import type { HelixFile } from '../../domain/plan/helix-file.ts';
import type { Sandbox } from '../../domain/plan/sandbox.ts';
import { present } from '../../domain/present.ts';
import { failurePolicy } from '../../domain/verdict.ts';
import type { Agent } from '../../ports/agent.ts';
import type { Cache } from '../../ports/cache.ts';
import type { Files } from '../../ports/files.ts';
import type { World } from '../../ports/world.ts';
import { renderJson } from '../../report/words/json.ts';
import type { ChosenJudge } from './choose-judge.ts';

const TRIES = 3;
const DEFAULT_USD = 10;

/** Opens the judge's agent; called before the free checks are awaited, it takes no time of its own. */
export function openJudge({ agent }: ChosenJudge, world: World): Promise<Agent> {
  const opening = world.agent(agent);
  // The awaiter rethrows.
  opening.catch(() => undefined);
  return opening;
}

/** What is seen of a judge at work. */
export type JudgeProgress = {
  onText(text: string): void;
  onSpent(usd: number): void;
  close(): void;
};

/** Who is told while judges work. */
export type JudgeWatcher = {
  /** A judge starts; `about` names the type of approval and the agent. */
  readonly openProgress: (about: string) => JudgeProgress;
  /** A judge was cut short, and another one is asked. */
  readonly onCutShort: (why: string) => void;
};

/** Who is asked, and where what comes of it is kept. */
export type Asking = {
  readonly world: World;
  readonly chosen: ChosenJudge;
  readonly settings: HelixFile;
  readonly agent: Promise<Agent>;
  readonly id: string;
  readonly files: Files;
  readonly stop: AbortSignal;
  /** Asks, even if the same was asked before. */
  readonly noCache: boolean;
  readonly watcher: JudgeWatcher;
};

/** Asks for one verdict; what cuts a judge short is met by asking another one, never what a judge says. */
export async function ask(question: Question, asking: Asking): Promise<Asked> {
  const { settings, files, world } = asking;
  const agent = await asking.agent;
  const cache = await cacheFor(asking);
  const known = await answeredBefore(question, { ...asking, agent, cache });
  if (known !== undefined) return known;
  const sandbox = await world.sandbox(settings.sandbox ?? 'auto', settings.limits);
  let left = question.settings.budgetUsd ?? settings.budget?.usd ?? DEFAULT_USD;
  for (let turn = 0; ; turn += 1) {
    const asked = await askOnce(question, { ...asking, agent, cache, sandbox, turn, left });
    if (asked.kind === 'answered') return asked;
    await files.write(`interruption-${turn + 1}.json`, renderJson(interruptionOf(asked, question, asking)));
    const retried = question.settings.retryOnFailure && failurePolicy(asked.failure) === 'retry';
    if (!retried || turn + 1 >= TRIES || asking.stop.aborted) return asked;
    // Nobody knows what these tokens cost, so all that the judge could have spent counts as spent.
    const unpriced = asked.cost?.basis === 'unknown' && (asked.cost.tokens ?? 0) > 0;
    left = unpriced ? 0 : Math.max(0, left - (asked.cost?.usd ?? 0));
    asking.watcher.onCutShort(`${asked.failure}: ${asked.message}`);
  }
}

type Opened = Omit<Asking, 'agent'> & { readonly agent: Agent; readonly cache: Cache | undefined };
type Try = Opened & { readonly sandbox: Sandbox; readonly turn: number; readonly left: number };

/** What a script says depends on the script, which no key knows. */
async function cacheFor({ chosen, world, noCache }: Asking): Promise<Cache | undefined> {
  if (chosen.simulated) return undefined;
  const cache = await world.cache();
  return noCache ? unread(cache) : cache;
}

/** Whoever asks for weaker walls is told only what was said behind those. */
async function answeredBefore(question: Question, opened: Opened): Promise<Asked | undefined> {
  const { settings, agent, cache, chosen, world, id } = opened;
  if (settings.sandbox === 'basic' || settings.sandbox === 'none') return undefined;
  const { name, model } = chosen;
  return recallAnswer(question, {
    ...{ agent, name, clock: world.clock, id },
    ...present({ cache, version: agent.version, model }),
  });
}

async function askOnce(question: Question, { world, chosen, agent, cache, sandbox, ...about }: Try): Promise<Asked> {
  const { id, files, stop, turn, left, watcher } = about;
  const secrets = world.secrets([chosen.agent]);
  const progress = watcher.openProgress(`${question.type}: ${chosen.name}`);
  const { name, model, fallbackModel, simulated } = chosen;
  const { inNeutralDirectory } = await import('../step/fresh-judge.ts');
  return inNeutralDirectory(
    { ...world, files, secrets },
    { path: 'transcript.jsonl', onText: progress.onText },
    (around) =>
      askJudge(question, {
        ...{ agent, name, clock: world.clock, signal: stop, turn, id, sandbox, ...around, ...present({ cache }) },
        marker: `${world.newMarker()}:approval:${id}:${turn}`,
        ...present({ version: agent.version, model, fallbackModel }),
        reserve: async () => (simulated ? {} : left > 0 ? { spendUsd: left } : undefined),
        onSpent: progress.onSpent,
      }),
  ).finally(progress.close);
}

/** Who asks anew wants no earlier answer; one that the new answer contradicts must not be given to anybody else either. */
function unread(cache: Cache): Cache {
  return { get: async () => undefined, put: (key, text) => cache.put(key, text), remove: (key) => cache.remove(key) };
}

type Interrupted = Extract<Asked, { kind: 'interrupted' }>;

function interruptionOf(asked: Interrupted, { type }: Question, { id, chosen, world }: Asking): ApprovalInterruption {
  const { failure, message, cost, durationMs, until } = asked;
  const { name, model, simulated } = chosen;
  return {
    ...{ approval_id: id, approval_type: type, timestamp: world.clock.now(), failure, message, agent: name, simulated },
    ...present({ model, cost }),
    duration_seconds: durationMs / 1000,
    ...present({ until }),
  };
}
