import { execFileSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { projectCache } from '../src/adapters/disk/cache-directory.ts';
import { openProject } from '../src/adapters/disk/project-directory.ts';
import { openWorld } from '../src/adapters/world.ts';
import { loadRules } from '../src/adr/rules/load/load-rules.ts';
import { composePlan } from '../src/cli/do/compose-plan.ts';
import { requestAfter } from '../src/cli/do/earlier-task.ts';
import { taskProject } from '../src/cli/do/task-project.ts';
import type { Changes, Decision } from '../src/domain/facts/consultation.ts';
import type { RunEvent } from '../src/domain/facts/run-event.ts';
import { openRequests, type RunState, resultOf } from '../src/domain/facts/run-state.ts';
import { MOST_IN_ONE_CHANGE } from '../src/domain/plan/helix-file.ts';
import { TASK_SOURCE } from '../src/domain/plan/plan.ts';
import { replay } from '../src/domain/run/evolve.ts';
import { addFact } from '../src/engine/ladder/add-fact.ts';
import { type Company, resumeRun, startRun } from '../src/engine/run.ts';
import { scriptHarms } from '../src/engine/start/detected-commands.ts';
import { type PreparedRun, prepareRun, type RunOptions } from '../src/engine/start/prepare-run.ts';
import { GATES } from '../src/gates/registry.ts';
import { loadPlan } from '../src/plan/load-plan.ts';
import type { Agent, AgentTask, CreatorTask } from '../src/ports/agent.ts';
import type { Journal } from '../src/ports/journal.ts';
import type { Project } from '../src/ports/project.ts';
import type { World } from '../src/ports/world.ts';

const ROOT = fileURLToPath(new URL('./scenarios', import.meta.url));

/** Where files live in memory, if there is such a place: thousands of flushes cost nothing there. */
export const FAST = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** The names of all scenarios. */
export const SCENARIOS = readdirSync(ROOT).sort();

// Worktrees of scenarios live in memory, too; agents that are installed for tests stay where they are.
process.env.HELIX_AGENT_TOOLS ||= join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'helix-test-tools');
process.env.XDG_CACHE_HOME = join(FAST, 'helix-test-cache');

/** Makes the files of `repository/`, where a scenario has them, the first commit of a repository there. */
function makeRepository(dir: string): void {
  const files = join(dir, 'repository');
  if (!existsSync(files)) return;
  for (const name of readdirSync(files)) renameSync(join(files, name), join(dir, name));
  rmSync(files, { recursive: true });
  const git = (...args: string[]) => execFileSync('git', ['-C', dir, ...IDENTITY, ...args], { stdio: 'ignore' });
  git('init', '-b', 'main');
  git('add', '--all', '--', ...readdirSync(dir).filter((name) => !PLAN_FILES.test(name)));
  git('commit', '-m', 'the scenario');
}

const IDENTITY = ['-c', 'user.name=scenario', '-c', 'user.email=scenario@localhost', '-c', 'commit.gpgSign=false'];
const PLAN_FILES =
  /^(\.git|phases\.yaml|task\.txt|planned-task\.txt|again\.txt|again-scripted\.yaml|tell\.yaml|scripted\.yaml|helix\.yaml|answers\.yaml|order\.yaml|expected\.txt)$/;

/** A file of a scenario that names something for each of some phases. */
function byPhase(dir: string, name: string): Record<string, string> | undefined {
  const file = join(dir, name);
  return existsSync(file) ? (parse(readFileSync(file, 'utf8')) as Record<string, string>) : undefined;
}

type Task = { readonly words: string; readonly planned: boolean };

/** The words of `helix do`, of `helix do --plan` or, in `again.txt`, of a `helix do --again` after it, where that is what a scenario is about. */
function taskOf(dir: string, names: readonly string[] = ['task.txt', 'planned-task.txt']): Task | undefined {
  const name = names.find((each) => existsSync(join(dir, each)));
  if (name === undefined) return undefined;
  return { words: readFileSync(join(dir, name), 'utf8'), planned: name === 'planned-task.txt' };
}

/** The project of a scenario; that of a task has its plan and request in no file. */
function projectOf(dir: string, task = taskOf(dir)): Project {
  const project = openProject(dir);
  if (task === undefined) return project;
  const { words, planned } = task;
  const own = { name: 'scenario', title: words, type: 'feature', planned, judge: true } as const;
  const found = { workspace: { setup: [], copy: [], cache: [] }, tests: ['sh', 'test.sh'], checks: [], protected: [] };
  return taskProject(project, { 'phases.yaml': composePlan({ ...own, ...found }), 'request.md': words });
}

/** A scenario in a directory of its own, played as far as its answers and budgets carry it. */
export class Stage {
  /** The project: the top of the scenario, or its folder `plan` where the plan lies there. */
  readonly dir: string;
  readonly top: string;

  constructor(scenario: string, root: string = ROOT) {
    this.top = mkdtempSync(join(FAST, `helix-${scenario}-`));
    cpSync(join(root, scenario), this.top, { recursive: true });
    makeRepository(this.top);
    this.dir = existsSync(join(this.top, 'plan', 'phases.yaml')) ? join(this.top, 'plan') : this.top;
  }

  /** A scenario that already lies in a directory. */
  static at(dir: string): Stage {
    return Object.assign(Object.create(Stage.prototype) as Stage, { dir, top: dir });
  }

  /** Makes what lies in repository/ the first commit of a repository there. */
  makeRepository(): void {
    makeRepository(this.dir);
  }

  /** The world of this stage; `wrap` puts something between the engine and the journal. */
  world(wrap: (journal: Journal) => Journal = (journal) => journal): World {
    const world = openWorld(projectOf(this.dir));
    let journal: Promise<Journal> | undefined;
    const open = () => {
      journal ??= world.journal().then(wrap);
      return journal;
    };
    const wrapped = { ...world, journal: open };
    const order = byPhase(this.dir, 'order.yaml');
    const said = byPhase(this.dir, 'tell.yaml');
    const ordered = order === undefined ? wrapped : inOrder(wrapped, order);
    return said === undefined ? ordered : telling(ordered, { world, said });
  }

  async start(world: World, company: Partial<Company> = {}): Promise<RunState> {
    return startRun(world, await this.prepare(world), { ...COMPANY, ...company });
  }

  /** The plan as it lies there now, ready to be run. */
  async prepare(world: World, more: RunOptions = {}): Promise<PreparedRun> {
    const loaded = await loadPlan(world.project, {
      template: (type) => world.template(`project-types/${type}.yaml`),
      templateTypes: () => world.projectTypes(),
      findProgram: (name) => world.findProgram(name),
      models: () => world.models(),
      shippedConfig: (name) => world.shippedConfig(name),
      shippedNames: () => ({ templates: world.shippedTemplates(), skills: [...world.shippedSkills().keys()] }),
      adrRules: async (text, path) => loadRules(text, path).findings,
    });
    const errors = loaded.findings.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new Error(`the scenario's plan has errors: ${JSON.stringify(errors)}`);
    const task = taskOf(this.dir);
    if (task === undefined) return prepareRun(loaded, {}, GATES);
    const prepared = prepareRun(loaded, { ...(!task.planned && { growth: MOST_IN_ONE_CHANGE }), ...more }, GATES);
    const look = {
      paths: await world.project.match('**/*'),
      read: (path: string) => world.project.read(path, 1 << 20),
    };
    await (await world.trust()).trust(world.project.dir, await scriptHarms(prepared.plan.phases, look));
    return { ...prepared, source: { ...loaded.source, path: TASK_SOURCE } };
  }

  /** Goes on until the run has ended, answering questions and raising the budget as the scenario says. */
  async finish(world: World, run: string): Promise<RunState> {
    for (let round = 0; round < 20; round += 1) {
      const state = await this.read(world, run);
      if (state.ended !== undefined) return this.goOnFrom(state, world);
      await this.answer(world, state);
      const budget = state.parked?.reason === 'budget' ? { budget: { usd: 100 } } : {};
      await resumeRun(world, run, { ...COMPANY, ...budget });
    }
    throw new Error('the scenario does not come to an end');
  }

  /** The task that goes on from the result of the first one, where a scenario has one; elsewhere nothing is left to do. */
  async goOnFrom(state: RunState, world: World): Promise<RunState> {
    const again = taskOf(this.dir, ['again.txt']);
    const result = resultOf(state);
    if (again === undefined || result === undefined || state.continues !== undefined) return state;
    const words = requestAfter({ state, ...result }, again.words);
    const next = { ...world, project: projectOf(this.dir, { ...again, words }) };
    const script = join(this.dir, 'again-scripted.yaml');
    const prepared = await this.prepare(next, { branch: result.branch, continues: state.run, script });
    return this.finish(world, (await startRun(next, prepared, COMPANY)).run);
  }

  async play(world: World = this.world()): Promise<RunState> {
    return this.finish(world, (await this.start(world)).run);
  }

  async read(world: World, run: string): Promise<RunState> {
    const state = replay(await this.events(world, run));
    if (state === undefined) throw new Error(`no such run: ${run}`);
    return state;
  }

  async events(world: World, run: string): Promise<RunEvent[]> {
    return (await world.journal()).read(run);
  }

  dispose(): void {
    rmSync(projectCache(this.dir, process.env, homedir()), { recursive: true, force: true });
    rmSync(this.top, { recursive: true, force: true });
  }

  async answer(world: World, state: RunState): Promise<void> {
    let { seq } = state;
    const file = join(this.dir, 'answers.yaml');
    const answers = existsSync(file)
      ? (parse(readFileSync(file, 'utf8')) as (Pick<Decision, 'phase' | 'files'> & Answer)[])
      : [];
    for (const request of openRequests(state)) {
      const answer = answers[[...state.requests.keys()].indexOf(request.id)];
      // Its time runs out instead.
      if (answer?.option === 'nobody') continue;
      const option = request.options.find(({ id }) => id === answer?.option);
      if (option === undefined) throw new Error(`the scenario has no answer to ${request.id}: ${request.question}`);
      const { option: _chosen, comment, ...more } = answer ?? {};
      const said = comment === undefined ? {} : { comment };
      const decision = { ...option.decision, ...more, ...(comment !== undefined && { guidance: comment }) };
      const given = { request: request.id, option: option.id, decision, actor: 'the scenario', ...said };
      const [event] = await (await world.journal()).append(state.run, { expectedSeq: seq }, [
        { type: 'decision_taken', data: given },
      ]);
      seq = event?.seq ?? seq;
    }
  }
}

/** The same object with some of its methods in other hands. */
function taking<T extends object>(whole: T, over: Partial<T>): T {
  return new Proxy(whole, {
    get: (target, key) => {
      if (Object.hasOwn(over, key)) return over[key as keyof T];
      const value = Reflect.get(target, key) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Lets the agent of a phase, or the judge of a type, begin only after a fact of another phase: so the order of two parallel ones is known. */
function inOrder(world: World, after: Readonly<Record<string, string>>): World {
  const news = new EventEmitter();
  let journal: Promise<Journal> | undefined;
  const open = () => {
    journal ??= world.journal().then((each) => {
      const append: Journal['append'] = async (...args) => {
        const events = await each.append(...args);
        news.emit('facts');
        return events;
      };
      return taking(each, { append });
    });
    return journal;
  };
  const happened = async (fact: string): Promise<boolean> => {
    const [row] = await (await open()).list();
    const events = row === undefined ? [] : await (await open()).read(row.run);
    return events.some(({ type, data }) => 'phase' in data && `${type} ${data.phase}` === fact);
  };
  const wait = async (task: AgentTask): Promise<void> => {
    const fact = after[task.role === 'creator' ? task.phase.id : task.subject.type];
    while (fact !== undefined && !task.signal.aborted) {
      const told = once(news, 'facts', { signal: task.signal }).catch(() => undefined);
      if (await happened(fact)) return;
      await told;
    }
  };
  return {
    ...world,
    journal: open,
    agent: async (settings) => {
      const agent = await world.agent(settings);
      const perform: Agent['perform'] = async (task) => {
        await wait(task);
        return agent.perform(task);
      };
      return taking(agent, { perform });
    },
  };
}

/** Lets somebody say something to a phase while its first attempt is under way; once, however often that begins. */
function telling(wrapped: World, { world, said }: { world: World; said: Readonly<Record<string, string>> }): World {
  const tell = async ({ phase }: CreatorTask): Promise<void> => {
    const words = said[phase.id];
    const [row] = await (await world.journal()).list();
    if (words === undefined || row === undefined) return;
    await addFact(world, row.run, ({ phases }) =>
      phases.get(phase.id)?.history.guidance.length === 0
        ? { type: 'guidance_given', data: { phases: [phase.id], words, actor: 'the scenario' } }
        : undefined,
    );
  };
  return {
    ...wrapped,
    agent: async (settings) => {
      const agent = await wrapped.agent(settings);
      const perform: Agent['perform'] = async (task) => {
        if (task.role === 'creator') await tell(task);
        return agent.perform(task);
      };
      return taking(agent, { perform });
    },
  };
}

type Answer = { readonly option: string; readonly comment?: string };

const COMPANY: Company = { gates: GATES, stop: new AbortController().signal, wait: false };

/** The facts of a run in short, one line each, without what differs from run to run. */
export function brief(events: readonly RunEvent[]): string[] {
  return events.map((event) => {
    const { data, type } = event;
    const phase = 'phase' in data ? ` ${data.phase}` : '';
    const attempt = 'attempt' in data ? `#${data.attempt}` : '';
    return `${type}${phase}${attempt}${detail(event)}`;
  });
}

/** What a consultant changed, in short. */
function words({ model, agent, hints = [], skills = [], spec = {} }: Changes): string[] {
  return [
    ...(model === undefined ? [] : [`model=${model}`]),
    ...(agent === undefined ? [] : [`agent=${agent}`]),
    ...(hints.length === 0 ? [] : [`hints=${hints.length}`]),
    ...skills.map((skill) => `skill=${skill}`),
    ...Object.keys(spec).map((path) => `spec=${path}`),
  ];
}

function detail(event: RunEvent): string {
  switch (event.type) {
    case 'attempt_interrupted':
    case 'judging_interrupted':
    case 'approval_interrupted':
    case 'consultation_interrupted':
      return ` ${event.data.failure}`;
    case 'meeting_interrupted':
      return ` ${[event.data.part, event.data.expert, event.data.failure].filter((each) => each !== undefined).join(' ')}`;
    case 'experts_chosen':
      return ` ${event.data.experts.map(({ id, because }) => `${id} (${because})`).join(', ')}`;
    case 'meeting_asked':
      return ` ${[event.data.part, ...(event.data.expert === undefined ? [] : [event.data.expert])].join(' ')}`;
    case 'meeting_answered': {
      const { said } = event.data;
      if (said.part === 'expert') return ` expert ${said.expert}`;
      if (said.part === 'criteria') return ` criteria ${said.criteria.map(({ id }) => id).join(' ')}`;
      return ` questions ${said.questions.length}`;
    }
    case 'meeting_refused':
      return ` ${event.data.part}: ${event.data.reasons.join('; ')}`;
    case 'expert_left_out':
      return ` ${event.data.expert}`;
    case 'answer_assumed':
      return ` ${event.data.question}: ${event.data.answer}`;
    case 'consultation_started':
      return ` to ${event.data.purpose}`;
    case 'consultation_finished':
      return ` ${[event.data.outcome, ...words(event.data.changes)].join(' ')}`;
    case 'consultation_refused':
      return `: ${event.data.reasons.join('; ')}`;
    case 'approval_finished':
      return ` ${event.data.result.approval_type} ${event.data.result.stage} ${event.data.result.result}`;
    case 'phase_sent_back': {
      const { target, others = [], voided } = event.data;
      return ` to ${[target, ...others.map((other) => other.target)].join(' and ')}, again ${voided.join(' ')}`;
    }
    case 'plan_reverted':
      return ` to ${event.data.target}, again ${event.data.voided.join(' ')}`;
    case 'phase_accepted':
      return event.data.override === undefined ? '' : ` override: ${event.data.override.reason}`;
    case 'attempt_judged':
      return ` ${event.data.verdicts.map(({ gate, outcome }) => `${gate}=${outcome}`).join(' ')}`;
    case 'human_asked':
      return ` ${event.data.reason}`;
    case 'decision_taken':
      return ` ${event.data.option} ${event.data.decision.action}`;
    case 'run_parked':
      return ` ${event.data.reason}`;
    case 'run_finished':
      return ` ${event.data.status}`;
    default:
      return '';
  }
}
