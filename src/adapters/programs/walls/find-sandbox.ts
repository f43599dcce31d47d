import { randomBytes } from 'node:crypto';
import { HelixError } from '../../../domain/helix-error.ts';
import type { HelixFile } from '../../../domain/plan/helix-file.ts';
import type { LimitSettings } from '../../../domain/plan/limits.ts';
import type { Sandbox } from '../../../domain/plan/sandbox.ts';
import { present } from '../../../domain/present.ts';
import type { Confinement, ProcessEnd, Processes } from '../../../ports/processes.ts';
import { oneLine } from '../../../text/sanitise.ts';
import { findLimits } from '../limits/find-limits.ts';
import { groupParents } from '../limits/group-parents.ts';
import { findBubblewrap } from './find-bubblewrap.ts';

const PROBE_MS = 10_000;
const MAX_WHY = 200;

type Wanted = NonNullable<HelixFile['sandbox']>;
type Env = Readonly<Record<string, string>>;
type Means = {
  readonly processes: Processes;
  readonly env: Env;
  readonly limits?: LimitSettings;
};

/** The best sandbox of this machine that `wanted` allows; throws HelixError `config` where `strict` does not work. */
export async function findSandbox(wanted: Wanted, means: Means): Promise<Sandbox> {
  if (wanted === 'basic' || wanted === 'none') return { level: wanted, why: 'asked for in helix.yaml' };
  const found = await probe(means);
  if (found.level === 'strict') return { ...found, limits: await findLimits(means.limits) };
  if (wanted === 'auto') return found;
  throw new HelixError('config', `the strict sandbox does not work here: ${found.why}`, {
    hint: `${MEND} Or write sandbox: auto in helix.yaml, which takes the best there is.`,
  });
}

const MEND =
  'Install bubblewrap (Debian and Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap; Arch: pacman -S bubblewrap; Alpine: apk add bubblewrap), and let users make namespaces of their own.';

let probed: Promise<Sandbox> | undefined;

/** Looks once: what a machine can do does not change while HELIX runs. */
function probe(means: Means): Promise<Sandbox> {
  probed ??= look(means);
  return probed;
}

async function look({ processes, env }: Means): Promise<Sandbox> {
  if (process.platform !== 'linux')
    return basic(`there is no strict sandbox on ${SYSTEMS[process.platform] ?? process.platform}`);
  const program = await findBubblewrap();
  if (program === undefined) return basic('bubblewrap is not installed');
  const run = (argv: readonly string[], confine?: Confinement) =>
    processes.run({
      ...{ argv, cwd: '/', env, marker: `probe:${randomBytes(8).toString('hex')}`, wallMs: PROBE_MS },
      ...present({ confine }),
    });
  // What limits are found by is tried beside the walls, since it takes as long.
  const [, version, ...ends] = await Promise.all([
    groupParents(),
    run([program, '--version']),
    ...WALLS.map((confine) => run(['/bin/sh', '-c', ALONE[confine.kind]], confine)),
  ]);
  const failed = ends.find((end) => end.exitCode !== 0);
  if (failed !== undefined) return basic(reason(failed));
  return { level: 'strict', why: `bubblewrap ${/\d+[\d.]*/.exec(version.tail)?.[0] ?? 'of unknown version'}` };
}

const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'macOS', win32: 'Windows' };

/** The walls that are used, with nothing in them. */
const WALLS: readonly Confinement[] = [
  { kind: 'closed', writable: [], readable: [], network: 'loopback' },
  { kind: 'open', protect: [], hidden: [], writable: [] },
];

/** Inside, a program is among the first of its processes and, behind closed walls, reaches itself and nobody else. */
const FIRST = '[ "$$" -lt 9 ] && [ -r "/proc/$$/stat" ]';
const ALONE = {
  open: FIRST,
  closed: `${FIRST} && case "$(cat /proc/net/fib_trie)" in *127.0.0.1*) exit 0 ;; *) exit 1 ;; esac`,
} as const;

function basic(why: string): Sandbox {
  return { level: 'basic', why };
}

function reason({ tail, message }: ProcessEnd): string {
  const said = oneLine(tail.trim() || message, MAX_WHY);
  const blocked = /namespace|uid map|loopback|not permitted|permission/i.test(said);
  return blocked ? `user namespaces are blocked: ${said}` : `bubblewrap does not work here: ${said}`;
}
