import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Layer } from '../../../ports/processes.ts';
import { absoluteEntries, findProgram } from '../../disk/find-program.ts';
import { isBelow } from '../../disk/is-below.ts';
import { SYSTEM_PROGRAMS } from './find-bubblewrap.ts';

/** Mounts each layer and becomes the program: no process stands between HELIX and the walls, which pass on how it ended. */
const SCRIPT = `mount=$1
shift
while [ "$1" != -- ]; do
  [ ! -d "$1" ] || "$mount" -n -t overlay -o "lowerdir=$2,upperdir=$3,workdir=$4,userxattr" overlay "$1" 2>/dev/null || {
    echo "helix: what set-up installed cannot be shown in $1" >&2; exit 1; }
  shift 4
done
shift
exec "$@"`;

/**
 * The argv that mounts layers and then builds walls, whose first word is bubblewrap. The mounts are made in a namespace of the
 * program's own, which ends with its last process: none is ever to be cleared away.
 */
export async function withLayers(
  [bubblewrap, ...walls]: readonly [string, ...string[]],
  layers: readonly Layer[],
): Promise<[string, ...string[]]> {
  const [unshare, mount] = await Promise.all(['unshare', 'mount'].map((name) => findProgram(name, SYSTEM_PROGRAMS)));
  if (unshare === undefined || mount === undefined)
    throw new Error('unshare or mount, which show what set-up installed without a copy of it, has gone');
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  // Only who is root in a namespace can mount there; behind its walls a program is its user again, without any power.
  const isRoot = uid === 0;
  const mapped = isRoot ? [] : ['--user', '--map-root-user'];
  const again = isRoot ? [] : ['--unshare-user', '--uid', `${uid}`, '--gid', `${gid}`, '--cap-drop', 'ALL'];
  const places = layers.flatMap(({ at, lower, upper, work }) => [at, lower, upper, work]);
  return [
    ...([unshare, ...mapped, '--mount', '--', '/bin/sh', '-c', SCRIPT, 'helix', mount, ...places, '--'] as const),
    ...[bubblewrap, ...again, ...walls],
  ];
}

/** Where what a program finds at a path behind walls lies for whoever is in front of them. */
export function inFront(path: string, layers: readonly Layer[]): string {
  return candidates(path, layers).find((each) => existsSync(each)) ?? path;
}

/** The absolute path that a program of a name has behind walls with layers. */
export async function findBehind(
  program: string,
  searchPath: string | undefined,
  layers: readonly Layer[],
): Promise<string | undefined> {
  for (const dir of absoluteEntries(searchPath)) {
    const found = await findProgram(program, candidates(dir, layers).join(delimiter));
    if (found !== undefined) return join(dir, program);
  }
  return undefined;
}

/** What was written in a layer comes before what it shows. */
function candidates(path: string, layers: readonly Layer[]): string[] {
  const layer = layers.find(({ at }) => isBelow(path, at));
  return layer === undefined ? [path] : [layer.upper, layer.lower].map((top) => top + path.slice(layer.at.length));
}
