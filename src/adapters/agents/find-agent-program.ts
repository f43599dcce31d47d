import { existsSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve, sep } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import type { AgentSettings } from '../../domain/plan/helix-file.ts';
import { present } from '../../domain/present.ts';
import { oneLine } from '../../text/sanitise.ts';
import { findProgram } from '../disk/find-program.ts';
import { repositoryTop } from '../disk/private-directory.ts';
import { allowedEnv } from '../programs/environment.ts';
import type { AgentWorld } from './agent-world.ts';
import { remembered } from './remembered-program.ts';

const LOOK_MS = 20_000;

/** What HELIX knows of an agent's program. */
export type KnownProgram = {
  readonly name: string;
  /** The npm package it comes in. */
  readonly from: string;
  /** The command that brings a newer one. */
  readonly update: string;
  readonly oldest: readonly [number, number, number];
  /** The major version nobody has seen yet. */
  readonly nextMajor: number;
  /** What it is asked for the flags it has, and those HELIX cannot do without. */
  readonly help: readonly string[];
  readonly flags: readonly string[];
  /** The variables it is asked with, and what else is in its environment then. */
  readonly passed: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

/** An agent's program on this machine, found fit for use. */
export type AgentProgram = { readonly argv: readonly string[]; readonly version: string };

type Looking = Pick<AgentWorld, 'project' | 'processes' | 'cache'>;

/** Finds the program by its settings or in PATH and checks its version and flags; throws HelixError `config`. */
export async function findAgentProgram(
  known: KnownProgram,
  settings: Pick<AgentSettings, 'command'>,
  world: Looking,
): Promise<AgentProgram> {
  const argv = await locateCommand([settings.command ?? known.name].flat(), world, installHint(known));
  const says = { name: known.name, asked: [['--version'], known.help] };
  const [said = '', help = ''] = await remembered(argv, says, {
    ...present({ cache: world.cache }),
    ask: (args) => output([...argv, ...args], known, world),
  });
  const version = requireVersion(said, known);
  requireFlags(help, version, known);
  return { argv, version };
}

/** A command whose program is found and of which nothing lies inside the repository; throws HelixError `config`. */
export async function locateCommand(
  [name = '', ...rest]: readonly string[],
  { project }: Pick<AgentWorld, 'project'>,
  hint: string,
): Promise<[program: string, ...string[]]> {
  const file = name.includes('/') ? resolve(project.dir, name) : await findProgram(name, process.env.PATH);
  if (file === undefined || !existsSync(file)) {
    throw new HelixError('config', `there is no ${name} ${name.includes('/') ? 'program' : 'in PATH'}`, { hint });
  }
  refuseInside(file, project.dir);
  for (const path of rest.flatMap(pathsIn)) refuseInside(path, project.dir);
  return [file, ...rest];
}

function installHint({ from }: KnownProgram): string {
  return `Install it with: npm install -g ${from}. Without it: helix run --agent scripted`;
}

/** What may be a path in an argument: all of it, or what follows `--option=`. */
function pathsIn(argument: string): string[] {
  const paths = [argument, argument.slice(argument.indexOf('=') + 1)];
  return paths.map((path) => path.replace(/^file:(\/\/)?(?=\/)/, ''));
}

/** What lies in the repository may have been written by an agent: the program, or what an interpreter is told to run. */
function refuseInside(named: string, project: string): void {
  const top = repositoryTop(project);
  const found = [project, top]
    .map((dir) => resolve(dir, named))
    .some((path) => isProgram(path, named) && [path, realpathSync(path)].some((each) => each.startsWith(top + sep)));
  if (!found) return;
  throw new HelixError('config', `${named} lies inside the repository, where agents can change it`, {
    hint: 'Install it elsewhere (npm install -g does), or name another one in helix.yaml.',
  });
}

/** Interpreters also run folders; but a word that is no path names one only by chance. */
function isProgram(path: string, named: string): boolean {
  try {
    return statSync(path).isFile() || named.includes('/');
  } catch {
    // Too long for a path, or none at all.
    return false;
  }
}

async function output(argv: readonly string[], known: KnownProgram, { processes }: Looking): Promise<string> {
  const end = await processes.run({
    argv,
    cwd: tmpdir(),
    env: { ...allowedEnv(process.env, known.passed), ...known.env },
    marker: `${known.name}-look-${process.pid}`,
    wallMs: LOOK_MS,
    keepStdoutBytes: 1024 * 1024,
  });
  if (end.exitCode === 0) return end.stdout;
  const said = oneLine(end.tail.trim(), 300);
  throw new HelixError('config', `${argv.join(' ')}: ${end.message}${said === '' ? '' : `: ${said}`}`, {
    hint: `The program does not work. ${installHint(known)}`,
  });
}

function requireVersion(said: string, known: KnownProgram): string {
  const { name, oldest, nextMajor, update } = known;
  const [version, major, minor, patch] = /(\d+)\.(\d+)\.(\d+)[\w.+-]*/.exec(said) ?? [];
  if (version === undefined) {
    throw new HelixError('config', `${name} --version does not say a version: ${oneLine(said.trim(), 100)}`, {
      hint: `Is this the right program? ${installHint(known)}`,
    });
  }
  const found = [Number(major), Number(minor), Number(patch)];
  const wanted = `HELIX works with ${oldest.join('.')} up to, not including, ${nextMajor}.0.0`;
  if (isBefore(found, oldest)) {
    throw new HelixError('config', `${name} ${version} is too old: ${wanted}`, { hint: `Update it: ${update}` });
  }
  if (Number(major) >= nextMajor) {
    throw new HelixError('config', `${name} ${version} is newer than this HELIX knows: ${wanted}`, {
      hint: `Update HELIX, or name an older ${name} in helix.yaml: command: [/path/to/${name}]`,
    });
  }
  return version;
}

function isBefore(version: readonly number[], other: readonly number[]): boolean {
  const at = other.findIndex((part, index) => part !== version[index]);
  return at !== -1 && (version[at] ?? 0) < (other[at] ?? 0);
}

function requireFlags(help: string, version: string, { name, flags, update }: KnownProgram): void {
  const missing = flags.filter((flag) => !new RegExp(`${flag}(?![\\w-])`).test(help));
  if (missing.length === 0) return;
  throw new HelixError(
    'config',
    `${name} ${version} has no ${missing.join(', ')}, which HELIX needs to keep it apart`,
    {
      hint: `Update it: ${update}`,
    },
  );
}
