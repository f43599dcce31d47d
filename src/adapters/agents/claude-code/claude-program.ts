import { existsSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { HelixError } from '../../../domain/helix-error.ts';
import type { AgentSettings } from '../../../domain/helix-file.ts';
import { oneLine } from '../../../text/sanitise.ts';
import { allowedEnv } from '../../environment.ts';
import { findProgram } from '../../find-program.ts';
import type { AgentWorld } from '../agent-world.ts';

/** Older ones could be led out of their walls by a repository; what a next major one does nobody has seen. */
const OLDEST = [2, 1, 163] as const;
const NEXT_MAJOR = 3;
const LOOK_MS = 20_000;
const INSTALL = 'Install it with: npm install -g @anthropic-ai/claude-code. Without it: helix run --agent scripted';

/** Flags that isolation and accounting depend on. */
const NEEDED = [
  '--restricted',
  '--strict-mcp-config',
  '--include-partial-messages',
  '--disable-slash-commands',
  '--no-session-persistence',
  '--permission-prompts',
  '--json-schema',
  '--max-budget-usd',
  '--settings',
  '--tools',
];

/** The `claude` program of this machine, found fit for use. */
export type ClaudeProgram = { readonly argv: readonly string[]; readonly version: string };

/** Finds the program by its settings or in PATH and checks its version and flags; throws HelixError `config`. */
export async function findClaude(settings: AgentSettings, world: AgentWorld): Promise<ClaudeProgram> {
  const [name = 'claude', ...rest] = [settings.command ?? 'claude'].flat();
  const file = name.includes('/') ? name : await findProgram(name, process.env.PATH);
  if (file === undefined || !existsSync(file)) {
    throw new HelixError('config', `there is no ${name} ${name.includes('/') ? 'program' : 'in PATH'}`, {
      hint: INSTALL,
    });
  }
  refuseInside(file, world.project.dir);
  const argv = [file, ...rest];
  const version = requireVersion(await output([...argv, '--version'], world));
  requireFlags(await output([...argv, '--help'], world), version);
  return { argv, version };
}

/** What lies in the repository may have been written by an agent. */
function refuseInside(file: string, project: string): void {
  const real = realpathSync(file);
  const top = repositoryTop(project);
  if (!real.startsWith(top + sep) && !file.startsWith(top + sep)) return;
  throw new HelixError('config', `${file} lies inside the repository, where agents can change it`, {
    hint: 'Install claude elsewhere (npm install -g @anthropic-ai/claude-code), or name another one in helix.yaml.',
  });
}

function repositoryTop(dir: string): string {
  for (let at = dir; dirname(at) !== at; at = dirname(at)) if (existsSync(join(at, '.git'))) return at;
  return dir;
}

async function output(argv: readonly string[], { processes }: AgentWorld): Promise<string> {
  const end = await processes.run({
    argv,
    cwd: tmpdir(),
    env: { ...allowedEnv(process.env, ['CLAUDE_CONFIG_DIR']), DISABLE_AUTOUPDATER: '1' },
    marker: `claude-look-${process.pid}`,
    wallMs: LOOK_MS,
    keepStdoutBytes: 1024 * 1024,
  });
  if (end.exitCode === 0) return end.stdout;
  const said = oneLine(end.tail.trim(), 300);
  throw new HelixError('config', `${argv.join(' ')}: ${end.message}${said === '' ? '' : `: ${said}`}`, {
    hint: `The program does not work. ${INSTALL}`,
  });
}

function requireVersion(said: string): string {
  const [version, major, minor, patch] = /(\d+)\.(\d+)\.(\d+)[\w.+-]*/.exec(said) ?? [];
  if (version === undefined) {
    throw new HelixError('config', `claude --version does not say a version: ${oneLine(said.trim(), 100)}`, {
      hint: `Is this Claude Code? ${INSTALL}`,
    });
  }
  const found = [Number(major), Number(minor), Number(patch)];
  const wanted = `HELIX works with ${OLDEST.join('.')} up to, not including, ${NEXT_MAJOR}.0.0`;
  if (isBefore(found, OLDEST)) {
    throw new HelixError('config', `claude ${version} is too old: ${wanted}`, { hint: 'Update it: claude update' });
  }
  if (Number(major) >= NEXT_MAJOR) {
    throw new HelixError('config', `claude ${version} is newer than this HELIX knows: ${wanted}`, {
      hint: 'Update HELIX, or name an older claude in helix.yaml: command: [/path/to/claude]',
    });
  }
  return version;
}

function isBefore(version: readonly number[], other: readonly number[]): boolean {
  const at = other.findIndex((part, index) => part !== version[index]);
  return at !== -1 && (version[at] ?? 0) < (other[at] ?? 0);
}

function requireFlags(help: string, version: string): void {
  const missing = NEEDED.filter((flag) => !new RegExp(`${flag}(?![\\w-])`).test(help));
  if (missing.length === 0) return;
  throw new HelixError('config', `claude ${version} has no ${missing.join(', ')}, which HELIX needs to keep it apart`, {
    hint: 'Update it: claude update',
  });
}
