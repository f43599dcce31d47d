import { posix } from 'node:path';
import type { InputFile } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Finding } from '../../domain/finding.ts';
import { isJudge, isReview } from '../../domain/plan/judging-phase.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { FailureClass } from '../../domain/verdict.ts';
import { readReview, reviewPaths } from '../../gates/judge/review.ts';
import type { Tree, TreeFile } from '../../ports/tree.ts';
import { renderJson } from '../../report/words/json.ts';
import { globMatcher } from '../../text/glob.ts';
import type { EnginePorts, RunContext } from '../step/engine-ports.ts';

const FILE_LIMIT = 16 * 1024 * 1024;
const SHOWN = 5;

type Captured = { readonly tree: Tree; readonly notices: readonly Finding[] };
type Broken = { readonly failure: FailureClass; readonly message: string };
type Reading = {
  readonly phase: Phase;
  readonly start: string;
  /** The same without what other judges left there: what the reviewer had before it. */
  readonly seen: string;
  readonly inputs: readonly InputFile[];
  /** What a reviewer answered that writes no file itself. */
  readonly answer?: unknown;
};

/** What a judge wrote when it looked before: whoever looks anew must not see what was found then. */
export async function earlierReviews(phase: Phase, { ports, state }: RunContext): Promise<string[]> {
  if (!isJudge(phase)) return [];
  const base = state.base === undefined ? undefined : await ports.workspace.tree(state.base.tree);
  const own = new Set(base?.files.map(({ path }) => path));
  return outputPaths(phase).filter((path) => !own.has(path));
}

function outputPaths({ output }: Phase): string[] {
  return output.files.flatMap((file) => [...new Set([posix.normalize(file), posix.join(output.directory, file)])]);
}

/**
 * What a reviewer leaves is its outputs and nothing else: all other changes are dropped with a warning. An approval by somebody who
 * changed what was there is no opinion about what moves on, and neither is a review that nobody can read.
 */
export async function asReview(
  captured: Captured,
  reading: Reading,
  around: RunContext,
): Promise<Captured & { broken?: Broken }> {
  const { phase, start, seen, answer } = reading;
  if (!isReview(phase)) return captured;
  const { workspace } = around.ports;
  const written = await withAnswer(captured.tree, answer, { phase, workspace });
  const before = await workspace.tree(seen);
  const changed = await changedPaths(before, written, around);
  const isOutput = outputsOf(reading, before, around.state);
  const strays = changed.filter((path) => !isOutput(path));
  const isWhole = strays.length === 0 && seen === start;
  const tree = isWhole ? written : await onlyOutputs({ before: start, written, changed, isOutput }, around);
  const notices = strays.length === 0 ? captured.notices : [...captured.notices, dropped(strays)];
  const known = new Set([...pathsOf(before), ...reading.inputs.map(({ path }) => path)]);
  const broken = await whyBroken(
    tree,
    phase,
    strays.filter((path) => known.has(path)),
  );
  return { tree, notices, ...present({ broken }) };
}

type Written = { readonly phase: Phase; readonly workspace: EnginePorts['workspace'] };

/** A structured answer is written where the gate looks for the review. */
async function withAnswer(tree: Tree, answer: unknown, { phase, workspace }: Written): Promise<Tree> {
  const [path] = reviewPaths(phase);
  if (answer === undefined || path === undefined) return tree;
  return workspace.tree(await workspace.edit(tree.id, new Map([[path, renderJson(answer)]])));
}

async function changedPaths(before: Tree, after: Tree, { ports }: RunContext): Promise<string[]> {
  const old = new Map(before.files.map((file) => [file.path, file]));
  const now = new Map(after.files.map((file) => [file.path, file]));
  const differs = (path: string) => !isSame(old.get(path), now.get(path));
  const links = new Set(before.links?.map(({ path }) => path));
  return [
    ...new Set([
      ...[...old.keys(), ...now.keys()].filter(differs),
      ...(after.links ?? []).map(({ path }) => path).filter((path) => !links.has(path)),
      ...after.problems.flatMap(({ location }) => location?.file ?? []),
      ...(await ports.workspace.changed(before.id, after.id)),
    ]),
  ].sort();
}

function isSame(one: TreeFile | undefined, other: TreeFile | undefined): boolean {
  return one?.digest === other?.digest && one?.executable === other?.executable;
}

function pathsOf({ files, links = [], outside = [] }: Tree): string[] {
  return [...files, ...links, ...outside].map(({ path }) => path);
}

/** What a review may write: what its plan and its gates name; where they name nothing, what was not there before. */
function outputsOf({ phase, inputs }: Reading, before: Tree, { tip }: RunState): (path: string) => boolean {
  const { directory } = phase.output;
  const usual = tip === undefined ? 'output' : '.';
  const named = [
    ...outputPaths(phase),
    ...reviewPaths(phase),
    ...phase.gates.flatMap(({ settings }) => (Array.isArray(settings.files) ? settings.files.map(String) : [])),
    ...(posix.normalize(directory) === usual ? [] : [posix.join(directory, '**')]),
  ];
  const matchers = named.map((pattern) => globMatcher(posix.normalize(pattern)));
  const there = new Set([...pathsOf(before), ...inputs.map(({ path }) => path)]);
  const isNamed = (path: string) => (named.length === 0 ? !there.has(path) : matchers.some((matches) => matches(path)));
  return (path) => !path.startsWith('../') && isNamed(path);
}

type Left = {
  readonly before: string;
  readonly written: Tree;
  readonly changed: readonly string[];
  readonly isOutput: (path: string) => boolean;
};

/** What there was before, with the review's outputs. */
async function onlyOutputs({ before, written, changed, isOutput }: Left, { ports }: RunContext): Promise<Tree> {
  const outputs = new Map<string, Buffer | undefined>();
  for (const path of changed.filter(isOutput)) outputs.set(path, await written.read(path, FILE_LIMIT));
  return ports.workspace.tree(await ports.workspace.edit(before, outputs));
}

function dropped(paths: readonly string[]): Finding {
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  return {
    severity: 'warning',
    check: 'review-changes',
    message: `a review changes nothing but its outputs; dropped: ${paths.slice(0, SHOWN).join(', ')}${more}`,
    hint: 'What a review should write besides its judgement is named under output.',
  };
}

async function whyBroken(tree: Tree, phase: Phase, touched: readonly string[]): Promise<Broken | undefined> {
  let rejects = false;
  const paths = reviewPaths(phase);
  for (const path of paths) {
    const review = await readReview(tree, path);
    if ('unreadable' in review) return { failure: 'schema', message: review.unreadable };
    rejects ||= review.rejects;
  }
  if (touched.length === 0 || rejects || paths.length === 0) return undefined;
  const files = touched.slice(0, SHOWN).join(', ');
  const message = `it approves work that it has changed itself (${files}), which is no opinion about the work as it is`;
  return { failure: 'protocol', message };
}
