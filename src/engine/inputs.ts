import { posix } from 'node:path';
import type { Phase, Plan } from '../domain/plan.ts';
import type { InputFile } from '../domain/run-event.ts';
import type { RunState } from '../domain/run-state.ts';
import type { Project, Tree, Workspace } from '../ports.ts';
import { globMatcher } from '../text/glob.ts';

type Sources = { readonly state: RunState; readonly workspace: Workspace; readonly project: Project };
type Place = { readonly tree: Tree; readonly prefix: string; readonly phase?: string };

/** Finds what a phase is given, each file pinned to a tree; what cannot be found is named in `missing`. */
export async function resolveInputs(
  phase: Phase,
  sources: Sources,
): Promise<{ inputs: InputFile[]; missing: string[] }> {
  if (phase.input === undefined) return { inputs: await everythingBefore(phase, sources), missing: [] };
  const { fromPhase, files } = phase.input;
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

/** All phases a phase depends on, nearest first. */
function ancestors(phase: Phase, plan: Plan): string[] {
  const byId = new Map(plan.phases.map((each) => [each.id, each]));
  const seen = new Set<string>();
  const queue = [...phase.dependsOn];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    queue.push(...(byId.get(id)?.dependsOn ?? []));
  }
  return plan.phases
    .map((each) => each.id)
    .filter((id) => seen.has(id))
    .reverse();
}

async function everythingBefore(phase: Phase, sources: Sources): Promise<InputFile[]> {
  const found: InputFile[] = [];
  for (const id of ancestors(phase, sources.state.plan)) {
    const tree = await resultOf(id, sources);
    if (tree === undefined) continue;
    const before = new Map((await baseOf(id, sources))?.files.map((file) => [file.path, file.sha256]));
    for (const file of tree.tree.files) {
      if (!file.path.startsWith(tree.prefix) || before.get(file.path) === file.sha256) continue;
      found.push(given(file, { ...tree, phase: id }, posix.join(id, file.path.slice(tree.prefix.length))));
    }
  }
  return found;
}

async function fromOne(pattern: string, id: string, sources: Sources): Promise<InputFile[]> {
  const result = await resultOf(id, sources);
  if (result !== undefined) {
    const found = inPhase(pattern, { ...result, phase: id }, directoryOf(id, sources));
    if (found.length > 0) return found;
  }
  const matches = globMatcher(posix.join('input', pattern));
  return (sources.state.phases.get(id)?.accepted?.inputs ?? []).filter((input) => matches(input.path));
}

async function nearest(pattern: string, phase: Phase, sources: Sources): Promise<InputFile[]> {
  for (const id of ancestors(phase, sources.state.plan)) {
    const result = await resultOf(id, sources);
    const found = result === undefined ? [] : inPhase(pattern, { ...result, phase: id }, directoryOf(id, sources));
    if (found.length > 0) return found;
  }
  const paths = await sources.project.match(pattern);
  if (paths.length === 0) return [];
  const tree = await sources.workspace.pin(paths);
  return tree.files.map((file) => given(file, { tree, prefix: '' }, file.path));
}

function inPhase(pattern: string, place: Place, directory: string): InputFile[] {
  for (const below of ['', `${posix.normalize(directory)}/`]) {
    const prefix = place.prefix + (below === './' ? '' : below);
    const matches = globMatcher(posix.normalize(pattern));
    const found = place.tree.files.filter(({ path }) => path.startsWith(prefix) && matches(path.slice(prefix.length)));
    if (found.length > 0) return found.map((file) => given(file, place, file.path.slice(prefix.length)));
  }
  return [];
}

function given(file: { path: string; sha256: string }, place: Place, as: string): InputFile {
  return {
    path: posix.join('input', as),
    sha256: file.sha256,
    from: { ...(place.phase !== undefined && { phase: place.phase }), tree: place.tree.id, path: file.path },
  };
}

/** A phase's accepted tree or, in a run of a single phase, what an earlier run left in its directory. */
async function resultOf(id: string, { state, workspace, project }: Sources): Promise<Place | undefined> {
  const accepted = state.phases.get(id)?.accepted;
  if (accepted !== undefined) return { tree: await workspace.tree(accepted.tree), prefix: '' };
  if (state.only === undefined) return undefined;
  const prefix = `phases/${id}/`;
  const paths = await project.match(`${prefix}**`);
  return paths.length === 0 ? undefined : { tree: await workspace.pin(paths), prefix };
}

async function baseOf(id: string, { state, workspace }: Sources): Promise<Tree | undefined> {
  const base = state.phases.get(id)?.baseTree;
  return base === undefined ? undefined : workspace.tree(base);
}

function directoryOf(id: string, { state }: Sources): string {
  return state.plan.phases.find((phase) => phase.id === id)?.output.directory ?? '.';
}
