import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { HelixError } from '../domain/helix-error.ts';
import { present } from '../domain/present.ts';
import type { Journal } from '../ports/journal.ts';
import type { Project } from '../ports/project.ts';
import type { Workspace, WorkspaceScope } from '../ports/workspace.ts';
import type { World } from '../ports/world.ts';
import { sha256 } from '../text/digest.ts';
import { unsafePath } from '../text/safe-path.ts';
import { systemClock } from './clock.ts';
import { projectCache } from './disk/cache-directory.ts';
import { findProgram } from './disk/find-program.ts';
import { INSTALLATION } from './disk/installation.ts';
import {
  readShippedApproval,
  readShippedConfig,
  readShippedSkills,
  readShippedTemplates,
  readVersion,
} from './disk/shipped-config.ts';
import { allowedEnv } from './programs/environment.ts';
import { openAgent } from './registry.ts';
import { refuseTrackedState } from './repo/user/tracked-state.ts';
import { workedOn } from './repo/user/worked-on.ts';
import { copiedSecrets, handedSecrets, knownSecrets, namedSecrets } from './secrets/known-secrets.ts';

const TEMPLATE_LIMIT = 256 * 1024;

/** Where HELIX keeps the templates it ships. */
export const SHIPPED_TEMPLATES = join(INSTALLATION, 'templates');

type WorldOptions = {
  /** Overrides where the scripted agent finds its words. */
  readonly script?: string;
  /** Overrides where the project's own names and prices of models are read. */
  readonly models?: Pick<Project, 'read'>;
};

/** The world of a project on this machine; throws HelixError `config` where its state came with the repository. */
export function openWorld(project: Project, options: WorldOptions = {}): World {
  refuseTrackedState(project.dir);
  const dir = join(project.dir, '.helix');
  const marker = () => sha256(project.dir).slice(0, 16);
  knownSecrets().learn(namedSecrets(project.dir));
  let journal: Promise<Journal> | undefined;
  const world: World = {
    project,
    clock: systemClock,
    processes: once(async () => (await import('./programs/processes.ts')).createProcesses()),
    findProgram: (name) => findProgram(name, process.env.PATH),
    trust: async () => (await import('./secrets/trust-store.ts')).openTrustStore(process.env, homedir()),
    notifier: async () => (await import('./notify/notifier.ts')).openNotifier(world),
    env: allowedEnv(process.env, []),
    hasJournal: () => existsSync(join(dir, 'helix.db')),
    journal: () => {
      journal ??= import('./journal/sqlite-journal.ts').then((module) => module.openSqliteJournal(dir, systemClock));
      return journal;
    },
    files: async (run) => new (await import('./journal/run-files.ts')).RunFiles(join(dir, 'runs', run)),
    secrets: (agents) => {
      knownSecrets().learn(handedSecrets(agents));
      return knownSecrets();
    },
    workspace: (scope) => openWorkspace(scope, world),
    sandbox: async (wanted, limits) => {
      const { findSandbox } = await import('./programs/walls/find-sandbox.ts');
      return findSandbox(wanted, { processes: await world.processes(), env: world.env, ...present({ limits }) });
    },
    models: once(async () => (await import('./open-models.ts')).openModels(options.models ?? project)),
    agent: async (settings) =>
      openAgent(settings, {
        ...{ project, processes: await world.processes(), clock: systemClock, models: await world.models() },
        ...{ cache: world.cache, ...present({ script: options.script }) },
      }),
    template: (name) => readTemplate(project, name),
    shippedConfig: (name) => readShippedConfig(name).text,
    shippedApproval: readShippedApproval,
    shippedTemplate: (name) => readFileSync(join(SHIPPED_TEMPLATES, name), 'utf8'),
    shippedTemplates: readShippedTemplates,
    shippedSkills: readShippedSkills,
    cache: async () => (await import('./judging/approval-cache.ts')).openApprovalCache(process.env, homedir()),
    neutralDirectory: () => neutralDirectory(project),
    newApprovalId: () => randomHex(8),
    projectTypes: () => projectTypes(project),
    newRunId: () => `${systemClock.now().slice(0, 10).replaceAll('-', '')}-${randomHex(4)}`,
    get marker() {
      return marker();
    },
    newMarker: () => `${marker()}:${randomHex(16)}`,
    actor: process.env.USER || process.env.LOGNAME || `uid ${process.getuid?.() ?? 'unknown'}`,
    version: readVersion(),
    close: () => void journal?.then((open) => open.close()).catch(() => undefined),
  };
  return world;
}

/** Makes something when it is first asked for, and only then. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function openWorkspace(scope: WorkspaceScope, { project, processes, env }: World): Promise<Workspace> {
  if (scope.settings.mode === 'phase-dirs') {
    const list = async () => (await import('./repo/list-around.ts')).listAround(project, scope.marker);
    return new (await import('./trees/phase-dirs.ts')).PhaseDirs(project.dir, list);
  }
  const { copy, root } = scope.settings;
  if (copy.length > 0) knownSecrets().learn(await copiedSecrets(await workedOn(project, root), copy));
  const { RepoWorkspace } = await import('./repo/repo-workspace.ts');
  const cacheDir = projectCache(project.dir, process.env, homedir());
  return RepoWorkspace.open(scope, { project, processes: await processes(), env, cacheDir });
}

async function neutralDirectory(project: Project): ReturnType<World['neutralDirectory']> {
  const { makePrivateDirectory, removeQuietly } = await import('./disk/private-directory.ts');
  const dir = makePrivateDirectory('judge', project.dir);
  return { dir, dispose: async () => removeQuietly(dir) };
}

async function projectTypes(project: Project): Promise<string[]> {
  const own = await project.match('templates/project-types/*.yaml');
  const shipped = readdirSync(join(SHIPPED_TEMPLATES, 'project-types'));
  return [...new Set([...own, ...shipped].map((path) => path.replace(/^.*\//, '').replace(/\.yaml$/, '')))].sort();
}

function randomHex(bytes: number): string {
  return process.getBuiltinModule('node:crypto').randomBytes(bytes).toString('hex');
}

async function readTemplate(project: Project, name: string): Promise<string | undefined> {
  const reason = unsafePath(name);
  if (reason !== undefined) throw new HelixError('plan', `the template ${JSON.stringify(name)} ${reason}`);
  const own = await project.read(join('templates', name), TEMPLATE_LIMIT);
  if (own !== undefined) return own;
  const shipped = join(SHIPPED_TEMPLATES, name);
  return existsSync(shipped) ? readFileSync(shipped, 'utf8') : undefined;
}
