import { posix } from 'node:path';
import type { InputFile } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { phasesBefore } from '../../domain/ladder/plan-graph.ts';
import { isJudge } from '../../domain/plan/judging-phase.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { Project } from '../../ports/project.ts';
import type { Tree, TreeFile } from '../../ports/tree.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { globMatcher } from '../../text/glob.ts';
import { withoutVerdicts } from './without-verdicts.ts';
import { workedIn } from './worked.ts';

/** Where a phase finds what it is given, relative to its directory. */
const INPUT = 'input';

type Sources = { readonly state: RunState; readonly workspace: Workspace; readonly project: Project };
type Place = { readonly tree: Tree; readonly prefix: string; readonly phase?: string };

/** Finds what a phase is given, each file pinned to a tree; what cannot be found is named in `missing`. */
export async function resolveInputs(
  phase: Phase,
  sources: Sources,
  start?: string,
): Promise<{ inputs: InputFile[]; missing: string[] }> {
  const { tip } = sources.state;
  if (tip !== undefined) return inRepository(phase, sources, await placesIn(start ?? tip.tree, phase, sources));
  if (phase.input === undefined) return { inputs: await everythingBefore(phase, sources), missing: [] };
  const { fromPhase, files } = phase.input;
  if (fromPhase !== undefined && files.length === 0) {
    return { inputs: await outputsOf(fromPhase, sources, (name) => name), missing: [] };
  }
  const inputs = new Map<string, InputFile>();
  const missing: string[] = [];
  for (const pattern of files) {
    const found =
      fromPhase === undefined ? await nearest(pattern, phase, sources) : await fromOne(pattern, fromPhase, sources);
    if (found.length === 0) missing.push(fromPhase === undefined ? pattern : `${pattern} from ${fromPhase}`);
    for (const input of found) inputs.set(input.path, input);
  }
  return { inputs: [...inputs.values()], missing };
}

/** Who judges is given what other judges wrote only where nothing else is meant. */
async function placesIn(tree: string, phase: Phase, { state, workspace }: Sources): Promise<Tree[]> {
  const seen = isJudge(phase) ? await withoutVerdicts(tree, { ports: { workspace }, state }) : tree;
  return Promise.all([...new Set([seen, tree])].map((id) => workspace.tree(id)));
}

/** In a repository a phase sees everything; its inputs only say where to look, and bring in what is not committed. */
async function inRepository(
  phase: Phase,
  sources: Sources,
  places: readonly Tree[],
): Promise<{ inputs: InputFile[]; missing: string[] }> {
  const { fromPhase, files = [] } = phase.input ?? {};
  const inputs = new Map<string, InputFile>();
  const missing: string[] = [];
  const makers = fromPhase === undefined ? ancestors(phase, sources.state.plan) : withAncestors(fromPhase, sources);
  const folders = ['.', ...makers.map((id) => directoryOf(id, sources))];
  for (const pattern of files) {
    const found =
      places.map((tree) => inTree(pattern, tree, folders, fromPhase)).find(({ length }) => length > 0) ?? [];
    const own = found.length > 0 ? found : await uncommitted(pattern, sources);
    if (own.length === 0) missing.push(fromPhase === undefined ? pattern : `${pattern} from ${fromPhase}`);
    for (const input of own) inputs.set(input.path, input);
  }
  return { inputs: [...inputs.values()], missing };
}

function inTree(pattern: string, tree: Tree, folders: readonly string[], phase: string | undefined): InputFile[] {
  for (const folder of folders) {
    const matches = globMatcher(posix.join(folder, pattern));
    const found = tree.files.filter(({ path }) => matches(path));
    const from = { ...present({ phase }), tree: tree.id };
    if (found.length > 0) return found.map(({ path, digest }) => ({ path, digest, from: { ...from, path } }));
  }
  return [];
}

async function uncommitted(pattern: string, { state, project, workspace }: Sources): Promise<InputFile[]> {
  const worked = await workedIn(project, state.plan.workspace);
  const paths = (await worked?.match(pattern)) ?? [];
  if (paths.length === 0) return [];
  const tree = await workspace.pin(paths);
  return tree.files.map(({ path, digest }) => ({ path, digest, from: { tree: tree.id, path } }));
}

/** A phase, then those it can have been given something by. */
function withAncestors(id: string, { state: { plan } }: Sources): string[] {
  const phase = plan.phases.find((each) => each.id === id);
  return phase === undefined ? [] : [id, ...ancestors(phase, plan)];
}

/** All phases a phase depends on, nearest first. */
function ancestors(phase: Phase, plan: Plan): string[] {
  return phasesBefore(phase, plan)
    .map(({ id }) => id)
    .reverse();
}

/** What judges wrote is given to nobody who judges, unless the plan asks for it by name. */
function judgesIn(id: string, { state: { plan } }: Sources): boolean {
  return plan.phases.some((phase) => phase.id === id && isJudge(phase));
}

async function everythingBefore(phase: Phase, sources: Sources): Promise<InputFile[]> {
  const found: InputFile[] = [];
  const before = ancestors(phase, sources.state.plan);
  for (const id of isJudge(phase) ? before.filter((each) => !judgesIn(each, sources)) : before) {
    found.push(...(await outputsOf(id, sources, (name) => posix.join(id, name))));
  }
  return found;
}

/** What a phase made, changed or declares: neither what else it found there nor what it was given. */
async function outputsOf(id: string, sources: Sources, as: (name: string) => string): Promise<InputFile[]> {
  const place = await resultOf(id, sources);
  if (place === undefined) return [];
  const before = new Map((await baseOf(id, sources))?.files.map((file) => [file.path, file.digest]));
  const nameOf = ({ path }: TreeFile) => path.slice(place.prefix.length);
  const declared = declaredBy(id, sources);
  const made = place.tree.files.filter(
    (file) => !isGiven(nameOf(file)) && (before.get(file.path) !== file.digest || declared(nameOf(file))),
  );
  return made.map((file) => given(file, place, as(nameOf(file))));
}

function declaredBy(id: string, { state }: Sources): (path: string) => boolean {
  const files = state.plan.phases.find((phase) => phase.id === id)?.output.files ?? [];
  const matchers = files.map((file) => globMatcher(posix.normalize(file)));
  return (path) => matchers.some((matches) => matches(path));
}

async function fromOne(pattern: string, id: string, sources: Sources): Promise<InputFile[]> {
  const result = await resultOf(id, sources);
  const accepted = sources.state.phases.get(id)?.accepted;
  const folders = ['.', directoryOf(id, sources), ...(accepted === undefined ? [INPUT] : [])];
  const found = result === undefined ? [] : inFolders(pattern, result, folders);
  return found.length > 0 ? found : handedOn(pattern, accepted?.inputs ?? [], sources);
}

/** What a phase was given, under the name it had there or, where that fits nothing, under the one it was made with. */
function handedOn(pattern: string, inputs: readonly InputFile[], sources: Sources): InputFile[] {
  const matches = globMatcher(posix.normalize(pattern));
  const namings: ((input: InputFile) => string)[] = [
    ({ path }) => below(INPUT, path),
    ({ path }) => path,
    ({ from }) => from.path,
    ({ from }) => below(from.phase === undefined ? '.' : directoryOf(from.phase, sources), from.path),
  ];
  for (const name of namings) {
    const found = inputs.filter((input) => matches(name(input)));
    if (found.length > 0) return found.map((input) => ({ ...input, path: posix.join(INPUT, name(input)) }));
  }
  return [];
}

async function nearest(pattern: string, phase: Phase, sources: Sources): Promise<InputFile[]> {
  const before = ancestors(phase, sources.state.plan);
  const isLast = (id: string) => isJudge(phase) && judgesIn(id, sources);
  for (const id of [...before.filter((each) => !isLast(each)), ...before.filter(isLast)]) {
    const result = await resultOf(id, sources);
    const found = result === undefined ? [] : inFolders(pattern, result, ['.', directoryOf(id, sources)]);
    if (found.length > 0) return found;
  }
  const paths = await sources.project.match(pattern);
  if (paths.length === 0) return [];
  const tree = await sources.workspace.pin(paths);
  return tree.files.map((file) => given(file, { tree, prefix: '' }, file.path));
}

/** The files of the first folder in which the pattern fits any; what the phase was given fits only by that folder's name. */
function inFolders(pattern: string, place: Place, folders: readonly string[]): InputFile[] {
  const wanted = posix.normalize(pattern);
  const matches = globMatcher(wanted);
  for (const folder of folders) {
    const prefix = place.prefix + (folder === '.' ? '' : `${folder}/`);
    const name = ({ path }: TreeFile) => path.slice(prefix.length);
    const found = place.tree.files.filter(
      (file) => file.path.startsWith(prefix) && matches(name(file)) && (isGiven(wanted) || !isGiven(name(file))),
    );
    if (found.length > 0) return found.map((file) => given(file, place, name(file)));
  }
  return [];
}

function given(file: { path: string; digest: string }, place: Place, as: string): InputFile {
  return {
    path: posix.join(INPUT, as),
    digest: file.digest,
    from: { ...present({ phase: place.phase }), tree: place.tree.id, path: file.path },
  };
}

/** A path as seen from a folder above it, empty where it lies elsewhere. */
function below(folder: string, path: string): string {
  if (folder === '.') return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : '';
}

function isGiven(path: string): boolean {
  return path.startsWith(`${INPUT}/`);
}

/** A phase's accepted tree or, in a run of a single phase, what an earlier run left in its directory. */
async function resultOf(id: string, { state, workspace, project }: Sources): Promise<Place | undefined> {
  const accepted = state.phases.get(id)?.accepted;
  if (accepted !== undefined) return { tree: await workspace.tree(accepted.tree), prefix: '', phase: id };
  if (state.only === undefined) return undefined;
  const prefix = `phases/${id}/`;
  const paths = await project.match(`${prefix}**`);
  return paths.length === 0 ? undefined : { tree: await workspace.pin(paths), prefix, phase: id };
}

async function baseOf(id: string, { state, workspace }: Sources): Promise<Tree | undefined> {
  const base = state.phases.get(id)?.baseTree;
  return base === undefined ? undefined : workspace.tree(base);
}

function directoryOf(id: string, { state }: Sources): string {
  return state.plan.phases.find((phase) => phase.id === id)?.output.directory ?? '.';
}
