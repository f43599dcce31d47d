import { openProject } from './adapters/disk/project-directory.ts';
import { readShippedConfig } from './adapters/disk/shipped-config.ts';
import { openJudgingWorld } from './adapters/judging-world.ts';
import { openWorld } from './adapters/world.ts';
import { type AdrCheck, checkAdr as check, PROFILE_CHOICES, type ProfileChoice } from './adr/check-adr.ts';
import { checkAgainstConcept } from './adr/check-against-concept.ts';
import { loadRules } from './adr/rules/load/load-rules.ts';
import { shippedRules } from './adr/rules/load/shipped-rules.ts';
import type { RuleSet } from './adr/rules/rule-set.ts';
import type { ApprovalDocument } from './domain/documents/approval-document.ts';
import type { RunDocument } from './domain/documents/documents.ts';
import type { RunEvent } from './domain/facts/run-event.ts';
import type { RunState } from './domain/facts/run-state.ts';
import { type Finding, hasError } from './domain/finding.ts';
import { HelixError } from './domain/helix-error.ts';
import { decisionOf, unknownRequest, wholeRequestId } from './domain/ladder/answer.ts';
import { isProtection } from './domain/plan/trust.ts';
import { present } from './domain/present.ts';
import { replay } from './domain/run/evolve.ts';
import type { FailureClass } from './domain/verdict.ts';
import { type ApprovalWatcher, isApproved, approve as judge } from './engine/approve/approve.ts';
import { judgedInputs, pathIn } from './engine/approve/judged-inputs.ts';
import { addFact } from './engine/ladder/add-fact.ts';
import { type ListedRun, listRuns as list } from './engine/list-runs.ts';
import { resumeRun as resume, startRun as start } from './engine/run.ts';
import { harmsOf, prepareRun, type RunOptions, type Wanting } from './engine/start/prepare-run.ts';
import type { Watchers } from './engine/step/engine-ports.ts';
import type { GateDefinition } from './gates/gate/define-gate.ts';
import { GATES } from './gates/registry.ts';
import { type LoadedPlan, loadPlan as load } from './plan/load-plan.ts';
import type { Project } from './ports/project.ts';
import type { World } from './ports/world.ts';
import { runDocument } from './report/run/run-document.ts';
import { isRecord } from './text/is-record.ts';

export type { AdrCheck, ProfileChoice } from './adr/check-adr.ts';
export type { AdrFinding } from './adr/document/adr.ts';
export type { ApprovalDocument } from './domain/documents/approval-document.ts';
export type { RunDocument } from './domain/documents/documents.ts';
export type { RunEvent } from './domain/facts/run-event.ts';
export type { Finding } from './domain/finding.ts';
export { HelixError } from './domain/helix-error.ts';
export type { Phase, Plan } from './domain/plan/plan.ts';
export type { FailureClass, Verdict } from './domain/verdict.ts';
export type { ListedRun } from './engine/list-runs.ts';
export type { RunOptions } from './engine/start/prepare-run.ts';
export { defineGate } from './gates/gate/define-gate.ts';
export type { GateAnswer, GateContext } from './gates/gate/gate-context.ts';
export type { Tree } from './ports/tree.ts';

/** How a library user accompanies a run. */
export type Accompaniment = Watchers & {
  /** Gates of your own, made with `defineGate`. */
  readonly gates?: readonly GateDefinition[];
  /** Aborting it stops the run cleanly; it can be resumed. */
  readonly signal?: AbortSignal;
  /** Stay while a question to a human is open or a quota is used up, and go on by itself. */
  readonly wait?: boolean;
};

/** A run as far as it went: the document of `helix status --json`, and every fact. */
export type Run = { readonly document: RunDocument; readonly events: readonly RunEvent[] };

/** Loads the plan of a project and checks all of it. */
export async function loadPlan(dir: string, options: Pick<Accompaniment, 'gates'> = {}): Promise<LoadedPlan> {
  return loadFrom(openWorld(openProject(dir)), options.gates ?? []);
}

/** How a run is started; `trust` says that you know the plan's commands and agents. */
export type StartOptions = RunOptions & Accompaniment & { readonly trust?: boolean };

/** How a run is taken up again; `trust` says that you know the plan it was started with. */
export type ResumeOptions = Accompaniment & { readonly trust?: boolean };

/** Starts a run and carries it as far as it goes. */
export async function startRun(dir: string, options: StartOptions = {}): Promise<Run> {
  return inWorld(dir, async (world) => {
    const loaded = await loadFrom(world, options.gates ?? []);
    if (hasError(loaded.findings)) {
      const [first] = loaded.findings.filter(({ severity }) => severity === 'error');
      throw new HelixError('plan', `the plan has errors: ${first?.message}`, { hint: 'loadPlan gives all findings.' });
    }
    const { gates, stop, wait } = company(options);
    const prepared = prepareRun(loaded, options, gates);
    await demandTrust(prepared, world.project, options.trust);
    return start(world, prepared, { ...options, gates, stop, wait });
  });
}

/** Takes a run up where its journal ends. */
export async function resumeRun(dir: string, run: string, options: ResumeOptions = {}): Promise<Run> {
  return inWorld(dir, async (world) => {
    const state = await stateOf(world, run);
    const wanting = { ...state, settings: { ...state.isolation, notify: [...state.notify] } };
    await demandTrust(wanting, world.project, options.trust);
    return resume(world, run, { ...options, ...company(options) });
  });
}

/** Reads a run without touching it. */
export async function readRun(dir: string, run: string): Promise<Run> {
  return inWorld(dir, (world) => stateOf(world, run));
}

/** The runs of a project, newest first. */
export async function listRuns(dir: string): Promise<readonly ListedRun[]> {
  const world = openWorld(openProject(dir));
  try {
    return await list(world);
  } finally {
    world.close();
  }
}

/** The answer to a question of a run: an option of it and, where that is of use, words for the agent and a phase to go back to. */
export type DecideAnswer = {
  readonly option: string;
  readonly comment?: string;
  readonly phase?: string;
  /** Who decides, as the journal names them (default: the user of this process). */
  readonly actor?: string;
};

/**
 * Answers a question of a run; `request` is its id, as `document.waitingFor` names it. Whoever works on the run goes on with the
 * answer, else `resumeRun` does. Throws HelixError for a question that is not open and an answer that cannot be taken.
 */
export async function decideRequest(dir: string, request: string, answer: DecideAnswer): Promise<Run> {
  const { actor, ...given } = answer;
  const run = /^(.+)-q\d+(?:-\w+)?$/.exec(request)?.[1];
  if (run === undefined) throw unknownRequest(request);
  return inWorld(dir, async (world) => {
    const id = wholeRequestId(await stateOf(world, run), request);
    return addFact(world, run, (state) => decisionOf(state, { ...given, request: id }, actor ?? world.actor));
  });
}

/** What is to be approved outside of any run, and by whom: the named files, or what changed since a revision. */
export type ApproveOptions = {
  /** The approval type, as `approvals/<type>/` names it. */
  readonly type: string;
  /** Files of the project, as seen from its directory. */
  readonly files?: readonly string[];
  /** A commit, branch or tag: what changed since then is judged. */
  readonly diff?: string;
  /** The concept an ADR was written from. */
  readonly concept?: string;
  /** Who judges: an agent of helix.yaml, `claude-code`, `codex` or `scripted`. */
  readonly agent?: string;
  readonly model?: string;
  /** Ask, even if the same was asked before. */
  readonly noCache?: boolean;
  /** Says that you know what helix.yaml wants for this judge; it is not remembered. */
  readonly trust?: boolean;
  /** Aborting it stops the judge; no verdict is given then. */
  readonly signal?: AbortSignal;
};

/** What came of an approval, and where in the project all about it lies; only a verdict that is sure of it is `approved`. */
export type Approval = { readonly path: string } & (
  | { readonly kind: 'judged'; readonly approved: boolean; readonly document: ApprovalDocument }
  | {
      readonly kind: 'interrupted';
      readonly approved: false;
      readonly failure: FailureClass;
      readonly message: string;
      /** When it is worth trying again, where that is known. */
      readonly until?: string;
    }
);

/**
 * One independent approval, as `helix approve` makes it. Throws HelixError for what cannot be judged, `not_trusted` where
 * helix.yaml wants what its user has not trusted; that a judge was cut short is no error.
 */
export async function approve(dir: string, options: ApproveOptions): Promise<Approval> {
  demandWanted(options);
  const { type, diff, concept, agent, model, trust, signal } = options;
  const world = openJudgingWorld(openProject(dir));
  const from = world.project.dir;
  const wanted = {
    ...{ type, files: judgedInputs(options.files ?? [], from, from), ...present({ diff, model }) },
    ...(concept !== undefined && { concept: pathIn(from, concept, from) }),
  };
  const choice = { ...present({ agent }), ...(trust === true && { trust: 'once' as const }), trustHint: TRUST_HINT };
  const noCache = options.noCache === true;
  const stop = signal ?? new AbortController().signal;
  try {
    return await judge(wanted, { world, choice, noCache, stop, watcher: SILENT }, (approved): Approval => {
      const { path } = approved;
      if (approved.kind === 'answered') {
        const { result } = approved;
        const document = { schema: 'helix.approval/1' as const, ...result };
        return { kind: 'judged', approved: isApproved(result), document, path };
      }
      const { kind, failure, message, until } = approved;
      return { kind, approved: false, failure, message, ...present({ until }), path };
    });
  } finally {
    world.close();
  }
}

const TRUST_HINT = 'Pass trust: true.';

const SILENT: ApprovalWatcher = {
  onPinned: async () => undefined,
  onSettings: ({ findings }) => {
    const first = findings.find(({ severity }) => severity === 'error');
    if (first !== undefined) throw atPlace(first, 'helix.yaml');
  },
  openProgress: () => ({ onText: () => undefined, onSpent: () => undefined, close: () => undefined }),
  onCutShort: () => undefined,
};

/** Programs without a compiler hand over whatever they have. */
function demandWanted(options: unknown): void {
  const refuse = (what: string): HelixError =>
    new HelixError('usage', `approve: ${what}`, {
      hint: "Such as: approve(dir, { type: 'code', files: ['src/a.ts'] }) or approve(dir, { type: 'code', diff: 'main' })",
    });
  if (!isRecord(options)) throw refuse('the options are to be an object');
  if (typeof options.type !== 'string') throw refuse('the type is to be a text');
  for (const name of ['diff', 'concept', 'agent', 'model'])
    if (!['string', 'undefined'].includes(typeof options[name])) throw refuse(`${name} is to be a text`);
  const { files = [], diff } = options;
  if (!Array.isArray(files) || files.some((file) => typeof file !== 'string'))
    throw refuse('files are to be a list of paths');
  if (files.length === 0 && diff === undefined) throw refuse('there is nothing to approve; name files or diff');
}

/** A document as a library user hands it over: its text, and what it is called in findings. */
export type AdrText = { readonly text: string; readonly path?: string };

/** How an ADR is checked. */
export type AdrOptions = {
  readonly path?: string;
  readonly profile?: ProfileChoice;
  readonly rules?: AdrText;
  readonly concept?: AdrText;
};

/**
 * Checks the text of one ADR: its structure by the form it has or `profile` says, the context rules (HELIX's own unless `rules`
 * has a rule file's text), and what `concept` promised. Throws HelixError `config` for a rule file with errors, `usage` for
 * what is no text.
 */
export function checkAdr(text: string, options: AdrOptions = {}): AdrCheck {
  demandTexts(text, options);
  const { rules, concept, ...rest } = options;
  if (rest.profile !== undefined && !PROFILE_CHOICES.includes(rest.profile))
    throw new HelixError('usage', `there is no profile ${JSON.stringify(rest.profile)}`, {
      hint: `Choose one of: ${PROFILE_CHOICES.join(', ')}`,
    });
  return check(text, {
    ...rest,
    rules: ruleSet(rules),
    ...(concept && { concept: checkAgainstConcept(concept.text, concept.path ?? 'concept.md') }),
  });
}

/** Programs without a compiler hand over whatever they have. */
function demandTexts(text: unknown, options: unknown): void {
  const refuse = (what: string, hint: string): HelixError =>
    new HelixError('usage', `checkAdr: ${what}`, { hint: `Such as: ${hint}` });
  if (typeof text !== 'string')
    throw refuse('the ADR is to be given as text', "checkAdr(readFileSync('0007-orders.md', 'utf8'))");
  if (!isRecord(options)) throw refuse('the options are to be an object', "checkAdr(text, { profile: 'nygard' })");
  for (const name of ['rules', 'concept']) {
    const given = options[name];
    if (given !== undefined && !(isRecord(given) && typeof given.text === 'string'))
      throw refuse(`${name} is to be an object with a text`, `checkAdr(text, { ${name}: { text: '…' } })`);
  }
}

function ruleSet(file: AdrText | undefined): RuleSet {
  if (file === undefined) {
    const { text, path } = readShippedConfig('adr-completeness-rules.yaml');
    return shippedRules(text, path);
  }
  const path = file.path ?? 'rules.yaml';
  const { rules, findings } = loadRules(file.text, path);
  const [first] = findings.filter(({ severity }) => severity === 'error');
  if (rules !== undefined && first === undefined) return rules;
  throw atPlace(first, path);
}

function atPlace(finding: Finding | undefined, path: string): HelixError {
  const { line = 1, column = 1 } = finding?.location ?? {};
  return new HelixError('config', `${path}:${line}:${column}: ${finding?.message}`, present({ hint: finding?.hint }));
}

async function stateOf(world: World, run: string): Promise<RunState> {
  const state = world.hasJournal() ? replay(await (await world.journal()).read(run)) : undefined;
  if (state === undefined) throw new HelixError('not_found', `there is no run ${run} in ${world.project.dir}`);
  return state;
}

async function demandTrust(wanting: Wanting, project: Project, trust: boolean | undefined): Promise<void> {
  const wanted = (await harmsOf(wanting, project)).filter((line) => !isProtection(line));
  if (wanted.length === 0 || trust === true) return;
  throw new HelixError('not_trusted', `this plan wants:\n${wanted.join('\n')}`, { hint: TRUST_HINT });
}

function company(options: Accompaniment) {
  const own = (options.gates ?? []).map((gate) => [gate.type, gate] as const);
  return {
    gates: new Map([...GATES, ...own]),
    stop: options.signal ?? new AbortController().signal,
    wait: options.wait ?? false,
  };
}

function loadFrom(world: World, gates: readonly GateDefinition[]): Promise<LoadedPlan> {
  return load(world.project, {
    template: (type) => world.template(`project-types/${type}.yaml`),
    templateTypes: () => world.projectTypes(),
    findProgram: (name) => world.findProgram(name),
    models: () => world.models(),
    shippedConfig: (name) => world.shippedConfig(name),
    shippedNames: () => ({ templates: world.shippedTemplates(), skills: [...world.shippedSkills().keys()] }),
    adrRules: async (text, path) => loadRules(text, path).findings,
    gates,
  });
}

async function inWorld(dir: string, work: (world: World) => Promise<RunState>): Promise<Run> {
  const world = openWorld(openProject(dir));
  try {
    const state = await work(world);
    const journal = await world.journal();
    const owned = (await journal.owner(state.run)) !== undefined;
    return { document: runDocument(state, owned), events: await journal.read(state.run) };
  } finally {
    world.close();
  }
}
