import {
  type Choice,
  chooseAuto,
  type Known,
  leavesChoice,
  templateCandidates,
  withChoices,
} from '../../brief/choose-auto.ts';
import { phasesBefore } from '../../domain/ladder/plan-graph.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { detectTools } from '../../gates/detect/detect-tools.ts';
import type { Look } from '../../gates/detect/place.ts';
import type { Tree } from '../../ports/tree.ts';
import { isRecord } from '../../text/is-record.ts';
import type { RunContext } from './engine-ports.ts';
import { readSpec } from './read-spec.ts';

const READ_LIMIT = 256 * 1024;
const MAX_REQUEST = 64 * 1024;

type Chosen = { readonly phase: Phase; readonly choices: readonly Choice[]; readonly languages?: readonly string[] };

/** A phase with every `auto` of its settings chosen by what is known now, and the languages of the project where that was asked. */
export async function withAutoChosen(
  phase: Phase,
  { ports, state }: RunContext<'workspace' | 'project' | 'template' | 'conventions'>,
): Promise<Chosen> {
  if (!leavesChoice(phase)) return { phase, choices: [] };
  const [look, spec, { skills = [] }] = await Promise.all([
    lookAround(phase, { ports, state }),
    readSpec(phase, { ports, state }),
    ports.conventions([]),
  ]);
  const { languages } = await detectTools(look);
  const written = spec.now === undefined || spec.now === 'unreadable' ? undefined : spec.now.value;
  const { plan, request } = state;
  const choices = await autoChoices(phase, {
    plan,
    request,
    skills,
    languages,
    spec: written,
    template: ports.template,
  });
  return { phase: { ...phase, config: withChoices(phase.config, choices) }, choices, languages };
}

type Around = {
  readonly plan: Pick<Plan, 'project' | 'experts'>;
  readonly request?: string | undefined;
  /** The value of spec.yaml. */
  readonly spec?: unknown;
  readonly languages: readonly string[];
  readonly skills: readonly string[];
  readonly template: (name: string) => Promise<string | undefined>;
};

/** What every `auto` of a phase becomes by what is known. */
export async function autoChoices(phase: Phase, around: Around): Promise<Choice[]> {
  const { plan, request = '', languages, skills } = around;
  const about = {
    request: `${request.slice(0, MAX_REQUEST)}\n${plan.project.description ?? ''}`,
    projectType: plan.project.type,
    ...{ detected: languages, experts: plan.experts ?? [], skills },
    language: fieldOf(around.spec, 'language'),
    domain: fieldOf(around.spec, 'domain'),
  } satisfies Omit<Known, 'templates'>;
  const names = templateCandidates(phase, about).map(({ name }) => name);
  const there = await Promise.all(names.map((name) => isThere(name, around.template)));
  return chooseAuto(phase, { ...about, templates: new Set(names.filter((_name, index) => there[index])) });
}

const NAME = /^[a-z0-9_-]+\/[a-z0-9_+#-]+$/;

/** A language is what an agent wrote: no path is made of it unless it can be the name of a template. */
async function isThere(name: string, template: Around['template']): Promise<boolean> {
  return NAME.test(name) && (await template(`${name}.md`)) !== undefined;
}

/** A field of the specification, at the top of it or in its `meta`. */
function fieldOf(spec: unknown, name: 'language' | 'domain'): string | undefined {
  if (!isRecord(spec)) return undefined;
  const value = spec[name] ?? (isRecord(spec.meta) ? spec.meta[name] : undefined);
  return typeof value === 'string' ? value.slice(0, 200) : undefined;
}

/** The files a phase builds on: in a repository the tip of the run, else the project and what was accepted before the phase. */
async function lookAround(
  phase: Phase,
  { ports: { workspace, project }, state }: RunContext<'workspace' | 'project'>,
): Promise<Look> {
  if (state.tip !== undefined) return lookAt([await workspace.tree(state.tip.tree)]);
  const accepted = phasesBefore(phase, state.plan).flatMap(({ id }) => state.phases.get(id)?.accepted?.tree ?? []);
  const made = lookAt(await Promise.all(accepted.map((tree) => workspace.tree(tree))));
  const own = (await project.match('**/*')).filter((path) => !/^(?:phases|\.helix)\//.test(path));
  return {
    paths: [...new Set([...own, ...made.paths])],
    read: async (path) => (await made.read(path)) ?? project.read(path, READ_LIMIT),
  };
}

function lookAt(trees: readonly Tree[]): Look {
  const holder = new Map(trees.flatMap((tree) => tree.files.map(({ path }) => [path, tree] as const)));
  return {
    paths: [...holder.keys()],
    read: async (path) => (await holder.get(path)?.read(path, READ_LIMIT))?.toString('utf8'),
  };
}
