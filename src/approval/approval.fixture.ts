import type { ApprovalSettings, JudgeAnswer } from '../domain/judge/approval.ts';
import type { Agent, AgentEnd, AgentTask, JudgeTask } from '../ports/agent.ts';
import type { Cache } from '../ports/cache.ts';
import type { Clock } from '../ports/clock.ts';
import type { Snapshot } from '../ports/tree.ts';
import { sha256 } from '../text/digest.ts';
import type { Judge } from './judge.ts';
import { parseDefinition } from './load-definition.ts';
import type { Question } from './question.ts';

/** The files most tests judge. */
export const FILES: Readonly<Record<string, string>> = {
  'docs/adr/001.md':
    '# Use SQLite\n\nWe keep the journal\n  in SQLite, because it is one file.\n\n## Consequences\n\nNo server is needed.\n',
  'src/db.ts': 'export const open = (name: string) =>\n  run("SELECT * FROM t WHERE name = " + name);\n',
  'src/other.ts': 'export const answer = 42;\n',
};

/** Content pinned in memory; `changed` is what it says about itself when asked. */
export function memorySnapshot(
  files = FILES,
  changed: readonly string[] = [],
): Snapshot & { readonly reads: string[] } {
  const reads: string[] = [];
  return {
    dir: '/pinned/a1',
    files: Object.entries(files).map(([path, text]) => ({ path, sha256: sha256(text) })),
    reads,
    read: async (path, limit) => {
      reads.push(path);
      const text = Object.hasOwn(files, path) ? files[path] : undefined;
      return text === undefined ? undefined : Buffer.from(text).subarray(0, limit);
    },
    changed: async () => changed,
    dispose: async () => undefined,
  };
}

const DEFINITION = parseDefinition(
  'code',
  new Map([
    ['CLAUDE.md', '# Judge the code\n\nRead `input/` and write output/approval-result.json.'],
    ['checks/security.md', '# Security\n\nNo injection.'],
    ['checks/tests.md', '# Tests\n\nThere are tests.'],
    ['skills/sql/SKILL.md', 'Use parameters.'],
  ]),
);

const SETTINGS: ApprovalSettings = {
  enabled: true,
  timeoutSeconds: 300,
  retryOnFailure: true,
  requiredConfidence: 0.8,
  onLowConfidence: 'human',
};

/** A question about src/db.ts with two checks. */
export function questionOf(over: Partial<Question> = {}): Question {
  const snapshot = over.snapshot ?? memorySnapshot();
  return {
    type: 'code',
    role: 'reviewer',
    definition: DEFINITION,
    checks: DEFINITION.checks,
    settings: SETTINGS,
    inputs: snapshot.files.filter(({ path }) => path === 'src/db.ts'),
    snapshot,
    conventions: { texts: [], more: [] },
    language: 'en',
    asked: { tasks: [] },
    criteria: [],
    settled: [],
    settledChecks: [],
    found: [],
    ...over,
  };
}

/** Words that stand in src/db.ts. */
export const EVIDENCE = { file: 'src/db.ts', line: 1, quote: 'export const open = (name: string)' };

/** An answer that approves with good evidence. */
export function answerOf(over: Partial<Record<keyof JudgeAnswer, unknown>> = {}): Record<string, unknown> {
  return {
    checks: [
      { id: 'security', outcome: 'pass', evidence: [EVIDENCE] },
      { id: 'tests', outcome: 'pass', evidence: [EVIDENCE] },
    ],
    findings: [],
    recommendations: [],
    result: 'approved',
    confidence: 0.95,
    ...over,
  };
}

/** An agent that ends as it is told, one turn after the other, and remembers what it was asked. */
export class MemoryAgent implements Agent {
  readonly driver: string;
  readonly simulated: boolean;
  readonly tasks: JudgeTask[] = [];
  readonly #ends: AgentEnd[];

  constructor(ends: readonly AgentEnd[], { driver = 'claude-code', simulated = false } = {}) {
    this.#ends = [...ends];
    this.driver = driver;
    this.simulated = simulated;
  }

  async perform(task: AgentTask): Promise<AgentEnd> {
    if (task.role === 'creator') throw new Error('a judge was expected');
    this.tasks.push(task);
    const end = this.#ends.shift();
    if (end === undefined) throw new Error('nobody should have been asked again');
    return end;
  }
}

/** A turn that ended with an answer. */
export function done(answer: unknown): AgentEnd {
  return { kind: 'done', cost: { usd: 0.12, basis: 'reported', tokens: 9000 }, model: 'big-1', version: '2.0', answer };
}

/** A cache in memory. */
export function memoryCache(entries = new Map<string, string>()): Cache & { readonly entries: Map<string, string> } {
  return {
    entries,
    get: async (key) => entries.get(key),
    put: async (key, text) => void entries.set(key, text),
    remove: async (key) => void entries.delete(key),
  };
}

function steppingClock(): Clock {
  let ms = 0;
  return {
    now: () => '2026-01-02T03:04:05.000Z',
    monotonic: () => (ms += 250),
    breathe: async () => undefined,
    sleep: async () => undefined,
  };
}

/** Somebody to ask, with a budget that is never short. */
export function judgeOf(agent: Agent, over: Partial<Judge> = {}): Judge {
  return {
    agent,
    name: 'default',
    version: '1.9',
    model: 'big',
    sandbox: { level: 'strict', why: 'it works' },
    clock: steppingClock(),
    signal: new AbortController().signal,
    marker: 'm:1',
    turn: 0,
    id: 'a1b2',
    dir: '/neutral',
    reserve: async () => ({ spendUsd: 1 }),
    onLine: () => undefined,
    ...over,
  };
}
