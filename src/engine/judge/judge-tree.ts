import type { Approver } from '../../approval/approver.ts';
import { fingerprintOf } from '../../approval/fingerprint.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { type Finding, hasError } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { FailureClass, Tests, Verdict } from '../../domain/verdict.ts';
import type { GateDefinition } from '../../gates/gate/define-gate.ts';
import type { GateAnswer, GateContext } from '../../gates/gate/gate-context.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Tree } from '../../ports/tree.ts';
import type { Checkout } from '../../ports/workspace.ts';
import { lastLines, OUTPUT_ROOM } from '../../text/last-lines.ts';
import { excerpt } from '../../text/sanitise.ts';
import { withoutDirectory } from '../../text/without-directory.ts';
import { commandKey } from '../step/command-key.ts';
import { failureOf, wordsOf } from '../step/failure.ts';
import { type AsPublished, askPublished } from './ask-published.ts';

const MAX_FINDINGS = 200;
const MAX_MESSAGE = 2000;
const MARKED_LIMIT = 16 * 1024 * 1024;

type Gates = ReadonlyMap<string, GateDefinition>;

/** A gate, and the phase whose word it has. */
export type Asked = {
  readonly gate: Gate;
  readonly of: Phase;
  /** What an agent must know when the gate does not pass: why it is asked at all. */
  readonly because?: string;
};

/** What a judgement is about and made with. */
export type Judging = {
  readonly gates: Gates;
  readonly clock: Clock;
  /** The gates to ask, in order. */
  readonly asked: readonly Asked[];
  /** The way to the judges of a phase, where gates of several are asked. */
  readonly approver?: (of: Phase) => Approver;
  /** What was noticed before any gate is asked; an error among it rejects what the first gate would pass. */
  readonly noticed: readonly Finding[];
  readonly before: (gate: Gate) => Tests | undefined;
  readonly failedEarlier: (gate: Gate) => GateContext['failedEarlier'];
  /** Tells whether the gate's command could run on the untouched tree. */
  readonly worked: (gate: Gate) => boolean;
  readonly onGate?: ((gate: string) => void) | undefined;
  /** What commands are run on first, where not all of the tree would be published. */
  readonly published?: AsPublished;
  readonly scratch: Pick<Scratch, 'renew' | 'places'>;
};

/** All of the judged tree, or what the run's branch would hold of it. */
type Extent = 'whole' | 'published';

/** The copy of a tree that commands run in. */
export type Scratch = {
  /** Where it lies; made when first asked for, in the place of one of another extent. */
  readonly directory: (extent: Extent) => Promise<string>;
  /** The files of the tree that were touched in it; if there are any, the next command gets another copy. */
  readonly renew: () => Promise<readonly string[]>;
  /** Where copies have lain so far. */
  readonly places: () => readonly string[];
};

/** What the gates say of a tree, as far as they were asked; `cut` is why the next one could not answer. */
export type Judgement = {
  readonly verdicts: readonly Verdict[];
  readonly cut?: Cut;
};

type Cut = {
  readonly gate: string;
  readonly failure: FailureClass;
  readonly message: string;
  /** It is not to be tried again. */
  readonly final?: boolean;
};

/** Lets gates judge a frozen tree, in order, up to the first that does not pass; approvals side by side, so that none hides another. */
export async function judgeTree(context: GateContext, judging: Judging): Promise<Judgement> {
  const verdicts: Verdict[] = [];
  for (const group of sideBySide(judging.asked)) {
    const noticed = verdicts.length === 0 ? judging.noticed : [];
    const answers = await Promise.all(
      group.map((asked, index) => askGate(asked, context, { ...judging, noticed: index === 0 ? noticed : [] })),
    );
    const touched = await judging.scratch.renew();
    for (const answer of answers) if ('outcome' in answer) verdicts.push(alsoTouched(answer, touched));
    const cut = answers.find((answer) => 'failure' in answer);
    if (cut !== undefined) return { verdicts, cut };
    if (verdicts.some(({ outcome }) => outcome !== 'pass')) break;
  }
  return { verdicts };
}

/** Approvals that follow one another are asked for at once: each has its own judge, and waiting for them is all it takes. */
function sideBySide(asked: readonly Asked[]): Asked[][] {
  const groups: Asked[][] = [];
  for (const each of asked) {
    const last = groups.at(-1);
    if (each.gate.type === 'approval' && last?.[0]?.gate.type === 'approval') last.push(each);
    else groups.push([each]);
  }
  return groups;
}

async function askGate({ gate, of, because }: Asked, context: GateContext, judging: Judging): Promise<Verdict | Cut> {
  const { clock, gates, noticed } = judging;
  judging.onGate?.(gate.type);
  const began = clock.monotonic();
  const before = judging.before(gate);
  const approver = judging.approver?.(of) ?? context.approver;
  const failedEarlier = judging.failedEarlier(gate);
  const asked = { ...context, phase: of, ...present({ before, failedEarlier, approver }) };
  const said = await answerOf(definition(gate.type, gates), gate, {
    context: asked,
    ...present({ published: judging.published }),
  });
  const answer = seenFrom(judging.scratch.places(), said);
  const about = { gate: gate.type, tree: context.tree.id, durationMs: Math.round(clock.monotonic() - began) };
  if (answer.kind === 'interrupted') {
    const { failure, message, final } = answer;
    if (failure === 'setup' && judging.worked(gate)) return brokenSince(about, message);
    return { gate: gate.type, failure, message, ...(final === true && { final }) };
  }
  const outcome = answer.outcome === 'pass' && hasError(noticed) ? 'reject' : answer.outcome;
  const why = because === undefined || outcome === 'pass' ? [] : [joinFinding(because)];
  const findings = bounded([...why, ...answer.findings, ...noticed]);
  const { tests, probe, reproduced, said: words, unsure, growth } = answer;
  const asks = answer.asks === undefined ? undefined : [...answer.asks];
  return {
    ...about,
    outcome,
    findings,
    ...present({ tests, probe, reproduced, said: words, asks, growth }),
    ...(unsure === true && { unsure }),
  };
}

/** An agent knows nothing of the copy that its work was judged in: paths in it are told as seen from its own directory. */
function seenFrom(places: readonly string[], answer: GateAnswer): GateAnswer {
  const named = (text: string) => places.reduce(withoutDirectory, text);
  if (answer.kind === 'interrupted') return { ...answer, message: named(answer.message) };
  const findings = answer.findings.map((finding) => {
    const { message, hint, output, location } = finding;
    const file = location?.file;
    return {
      ...finding,
      message: named(message),
      ...(hint !== undefined && { hint: named(hint) }),
      ...(output !== undefined && { output: named(output) }),
      ...(file !== undefined && { location: { ...location, file: named(file) } }),
    };
  });
  return { ...answer, findings };
}

function joinFinding(message: string): Finding {
  return { severity: 'error', check: 'join', message, hint: 'Make both fit together in the merged files.' };
}

type How = { readonly context: GateContext; readonly published?: AsPublished };

/** A copy that cannot be set up is one in which the command cannot run. */
async function answerOf(definition: GateDefinition, gate: Gate, how: How): Promise<GateAnswer> {
  const { context, published } = how;
  const { settings } = gate;
  const isPublic = published === undefined || definition.command(settings) === undefined;
  if (!isPublic)
    return askPublished(gate, context, { published, ask: (seen) => answerOf(definition, gate, { context: seen }) });
  try {
    return await definition.judge(settings, context);
  } catch (error) {
    if (!(error instanceof HelixError) || error.code !== 'setup') throw error;
    return { kind: 'interrupted', failure: 'setup', message: error.message };
  }
}

/** A command that could run before the phase and cannot any more is the phase's doing, and its agent is told. */
function brokenSince(verdict: Omit<Verdict, 'outcome' | 'findings'>, message: string): Verdict {
  const hint = 'It worked before this phase began: mend what you changed about it.';
  return {
    ...verdict,
    outcome: 'reject',
    findings: bounded([{ severity: 'error', check: 'broken-command', message, hint }]),
  };
}

const SHOWN = 5;

/** A command that writes to what it judges must not decide what the next one sees. */
function alsoTouched(verdict: Verdict, touched: readonly string[]): Verdict {
  if (touched.length === 0) return verdict;
  const more = touched.length > SHOWN ? ` and ${touched.length - SHOWN} more` : '';
  const finding: Finding = {
    severity: 'warning',
    check: 'touched-files',
    message: `files of the work were touched while this gate looked at a copy of it: ${touched.slice(0, SHOWN).join(', ')}${more}`,
    hint: 'The next gate gets a fresh copy, and the work stays as it was handed in.',
  };
  return { ...verdict, findings: bounded([...verdict.findings, finding]) };
}

type Place = {
  readonly checkout: (extent: Extent) => Promise<Checkout>;
  /** Begins to look after what is the user's; the result puts right what can be, and says so. */
  readonly watch: () => Promise<() => Promise<readonly Finding[]>>;
};

/**
 * Gives a judgement a copy of its tree for commands to run in, made when first asked for, and takes it away afterwards;
 * what these commands do to the user's own is part of the judgement.
 */
export async function withScratch(
  { checkout, watch }: Place,
  judge: (scratch: Scratch) => Promise<Judgement>,
): Promise<Judgement> {
  let settle: Awaited<ReturnType<Place['watch']>> | undefined;
  const watched = async (extent: Extent) => {
    settle ??= await watch();
    return checkout(extent);
  };
  const judgement = await inScratch(watched, judge);
  return alsoNoticed(judgement, (await settle?.()) ?? []);
}

async function inScratch(
  checkout: Place['checkout'],
  judge: (scratch: Scratch) => Promise<Judgement>,
): Promise<Judgement> {
  let made: { readonly extent: Extent; readonly copy: Promise<Checkout> } | undefined;
  const places = new Set<string>();
  const touched = new Set<string>();
  const letGo = async (always: boolean) => {
    const copy = await made?.copy.catch(() => undefined);
    const found = copy?.touched() ?? [];
    for (const path of found) touched.add(path);
    if (found.length === 0 && !always) return;
    made = undefined;
    await copy?.dispose();
  };
  const directory = async (extent: Extent) => {
    if (made !== undefined && made.extent !== extent) await letGo(true);
    made ??= { extent, copy: checkout(extent) };
    const { dir } = await made.copy;
    places.add(dir);
    return dir;
  };
  const renew = async () => {
    await letGo(false);
    const paths = [...touched];
    touched.clear();
    return paths;
  };
  try {
    return await judge({ directory, renew, places: () => [...places] });
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    return { verdicts: [], cut: { gate: 'workspace', failure, message: wordsOf(error) } };
  } finally {
    await (await made?.copy.catch(() => undefined))?.dispose();
  }
}

/** A judgement with what was noticed while it was made: an error rejects what the gates would pass. */
function alsoNoticed(judgement: Judgement, noticed: readonly Finding[]): Judgement {
  const last = judgement.verdicts.at(-1);
  if (noticed.length === 0 || last === undefined) return judgement;
  const outcome = last.outcome === 'pass' && hasError(noticed) ? 'reject' : last.outcome;
  const told = { ...last, outcome, findings: bounded([...last.findings, ...noticed]) };
  return { ...judgement, verdicts: [...judgement.verdicts.slice(0, -1), told] };
}

/** Tells whether a gate's command could run on the untouched tree. */
export function workedBefore(gate: Gate, state: RunState, gates: Gates): boolean {
  const command = commandKey(gate, gates);
  return command !== undefined && state.tried.some((tried) => tried.command === command);
}

/** What has to be said before any gate: what the workspace noticed, and conflicts that are still there. */
export async function noticedBefore(phase: Phase, tree: Tree, state: RunState): Promise<Finding[]> {
  const at = state.phases.get(phase.id);
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
  const kept = errorsFirst.slice(0, MAX_FINDINGS).map((finding) => ({
    ...named(finding),
    message: excerpt(finding.message, MAX_MESSAGE),
    ...(finding.output !== undefined && { output: lastLines(finding.output, OUTPUT_ROOM) }),
  }));
  const more = findings.length - kept.length;
  if (more <= 0) return kept;
  return [...kept, { severity: 'info', check: 'findings', message: `and ${more} more findings, which were not kept` }];
}

/** Every finding has a name, so that it is known again in the next judgement. */
export function named(finding: Finding): Finding {
  const { check, message, location, fingerprint } = finding;
  if (fingerprint !== undefined) return finding;
  const file = location?.file;
  return { ...finding, fingerprint: fingerprintOf({ check, message, ...present({ file }) }) };
}

function rank({ severity }: Finding): number {
  return severity === 'error' ? 0 : severity === 'warning' ? 1 : 2;
}

function definition(type: string, gates: Gates): GateDefinition {
  const gate = gates.get(type);
  if (gate === undefined) throw new HelixError('not_built', `the gate ${type} is not built`);
  return gate;
}
