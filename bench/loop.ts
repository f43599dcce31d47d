import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openProject } from '../src/adapters/disk/project-directory.ts';
import { openWorld } from '../src/adapters/world.ts';
import { DEFAULT_ESCALATION } from '../src/domain/plan/escalation-settings.ts';
import type { Phase, Plan } from '../src/domain/plan/plan.ts';
import { startRun } from '../src/engine/run.ts';
import { prepareRun } from '../src/engine/start/prepare-run.ts';
import { GATES } from '../src/gates/registry.ts';
import type { Agent } from '../src/ports/agent.ts';
import type { Files } from '../src/ports/files.ts';
import type { Journal } from '../src/ports/journal.ts';
import type { Tree } from '../src/ports/tree.ts';
import type { Workspace } from '../src/ports/workspace.ts';
import type { World } from '../src/ports/world.ts';
import { samplePhase, samplePlan } from '../test/sample-start.ts';
import { type Claim, compare, inDirectory, time } from './measure.ts';

const PHASES = 200;
const TREE: Tree = {
  id: 'a'.repeat(64),
  files: [{ path: 'output/x', digest: 'b'.repeat(64), size: 1, executable: false }],
  problems: [],
  read: async () => undefined,
};
const NOWHERE: Workspace = {
  manual: {
    offer: async () => undefined,
    take: async () => ({ start: TREE.id, tree: TREE, notices: [] }),
    withdraw: async () => undefined,
  },
  begin: async () => ({ notices: [] }),
  prepare: async () => ({ dir: '/', start: TREE.id }),
  capture: async () => ({ tree: TREE, notices: [] }),
  abandon: async () => [],
  bounds: () => ({ writable: [], readable: [], protect: [] }),
  watch: async () => async () => [],
  changed: async () => [],
  join: async () => ({ tree: TREE.id, conflicts: [] }),
  pin: async () => TREE,
  edit: async () => TREE.id,
  without: async () => TREE.id,
  revision: async () => undefined,
  tree: async () => TREE,
  checkout: async () => ({ dir: '/', touched: () => [], dispose: async () => undefined }),
  variant: async () => ({ dir: '/', touched: () => [], dispose: async () => undefined }),
  snapshot: async () => ({
    ...{ dir: '/', files: [], read: async () => undefined },
    ...{ changed: async () => [], dispose: async () => undefined },
  }),
  accept: async () => ({}),
  leave: async () => undefined,
  goBack: async () => undefined,
  take: async () => async () => undefined,
};
const IDLE: Agent = {
  driver: 'scripted',
  simulated: true,
  perform: async () => ({ kind: 'done', cost: { basis: 'simulated', usd: 0 } }),
};

const UNWRITTEN: Files = {
  write: async () => undefined,
  lines: async () => ({ line: () => undefined, close: async () => '' }),
  readLines: async () => [],
  lastLines: async () => [],
  read: async () => undefined,
  changedAt: async () => undefined,
  writtenAt: async () => undefined,
  remove: async () => undefined,
  zip: async () => undefined,
};

/** A chain of phases, each given the result of the one before it or, if not `given`, nothing. */
function chain(length: number, given = true): Plan {
  const phases = Array.from({ length }, (_, index): Phase => {
    const before = `p${index - 1}`;
    return samplePhase(`p${index}`, {
      output: { directory: 'output', files: ['output/x'] },
      input: index === 0 || !given ? { files: [] } : { fromPhase: before, files: ['output/x'] },
      dependsOn: index === 0 ? [] : [before],
    });
  });
  return samplePlan(phases);
}

type Counted = { ms: number; transactions: number; bytes: number };

/** Runs a plan in a fresh project and counts what it flushes. */
async function runPlan(dir: string, plan: Plan, change: (world: World) => Partial<World>): Promise<Counted> {
  const real = openWorld(openProject(dir));
  const journal = await real.journal();
  let transactions = 0;
  let bytes = 0;
  const count = <T>(value: T, data: unknown): T => {
    transactions += 1;
    bytes += JSON.stringify(data).length;
    return value;
  };
  const counting: Journal = {
    create: (run, first) => count(journal.create(run, first), first.data),
    append: (run, at, events) => count(journal.append(run, at, events), events),
    own: (run, owner) => journal.own(run, owner),
    owner: (run) => journal.owner(run),
    read: (run, after) => journal.read(run, after),
    headSeq: (run) => journal.headSeq(run),
    list: () => journal.list(),
    waiting: () => journal.waiting(),
    questions: (limit) => journal.questions(limit),
    remove: (run) => journal.remove(run),
    close: () => journal.close(),
  };
  const world: World = { ...real, journal: async () => counting, ...change(real) };
  const agents = { default: { driver: 'scripted' } } as const;
  const loaded = {
    plan,
    phases: [],
    project: 'bench',
    findings: [],
    source: { path: 'phases.yaml', sha256: '', origin: 'project' as const },
    sources: new Map(),
    settings: {},
    agents,
    escalation: DEFAULT_ESCALATION,
    ownModels: true,
    notify: [],
  };
  const prepared = prepareRun(loaded, { agent: 'default' }, GATES);
  const ms = await time(async () => {
    const state = await startRun(world, prepared, { gates: GATES, stop: new AbortController().signal, wait: false });
    if (state.ended?.status !== 'passed') throw new Error(`the bench run ended as ${state.ended?.status}`);
  });
  real.close();
  return { ms, transactions, bytes };
}

/** As many bare transactions of the same size, as SQLite itself does them. */
async function bareTransactions(dir: string, { transactions, bytes }: Counted): Promise<number> {
  const db = new DatabaseSync(join(dir, 'bare.db'));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (n INTEGER PRIMARY KEY, data TEXT)');
  const insert = db.prepare('INSERT INTO t (data) VALUES (?)');
  const data = 'x'.repeat(Math.round(bytes / transactions));
  const ms = await time(() => {
    for (let n = 0; n < transactions; n += 1) {
      db.exec('BEGIN IMMEDIATE');
      insert.run(data);
      db.exec('COMMIT');
    }
  });
  db.close();
  return ms;
}

/** Makes a fresh directory. */
type Fresh = () => string;
type Setting = { readonly plan: Plan; readonly change: (world: World) => Partial<World>; readonly fresh: Fresh };

async function against(name: string, limit: number, { plan, change, fresh }: Setting): Promise<Claim> {
  const counted = await runPlan(fresh(), plan, change);
  const { ratio, thing, base } = await compare(
    7,
    async () => (await runPlan(fresh(), plan, change)).ms,
    () => bareTransactions(fresh(), counted),
  );
  const detail = `${PHASES} phases ${thing.toFixed(0)} ms, ${counted.transactions} bare transactions ${base.toFixed(0)} ms`;
  return { name, limit, ratio, detail };
}

/**
 * What the loop costs over the transactions it must make anyway. Nothing is removed between the rounds: for some seconds ext4
 * looks past every inode that was freed whenever it makes a new one, which took more time than all of HELIX.
 */
export async function loopClaims(): Promise<Claim[]> {
  return inDirectory((all) => claimsIn(() => mkdtempSync(join(all, 'round-'))));
}

async function claimsIn(fresh: Fresh): Promise<Claim[]> {
  const idle = () => ({ agent: async () => IDLE, workspace: async () => NOWHERE });
  const bare = () => ({ ...idle(), files: async () => UNWRITTEN });
  const { transactions } = await runPlan(fresh(), chain(PHASES), bare);
  const hundred = () => runPlan(fresh(), chain(100), bare).then(({ ms }) => ms / 100);
  const thousand = () => runPlan(fresh(), chain(1000), bare).then(({ ms }) => ms / 1000);
  const growth = await compare(5, thousand, hundred);
  const perPhase = `${growth.thing.toFixed(2)} ms, ${growth.base.toFixed(2)} ms`;
  const flushed = `${transactions} for ${PHASES} phases, 2 of them for the run itself`;
  return [
    { name: 'flushed transactions per phase', limit: 4, ratio: (transactions - 2) / PHASES, detail: flushed },
    await against('the loop / as many bare transactions', 2, { plan: chain(PHASES), change: bare, fresh }),
    await against('the loop with the files it renders for people / as many bare transactions', 10, {
      plan: chain(PHASES),
      change: idle,
      fresh,
    }),
    await against('the loop with small phase directories / as many bare transactions', 10, {
      plan: chain(PHASES, false),
      change: () => ({}),
      fresh,
    }),
    { name: 'a phase of 1,000 / a phase of 100', limit: 1.3, ratio: growth.ratio, detail: perPhase },
  ];
}
