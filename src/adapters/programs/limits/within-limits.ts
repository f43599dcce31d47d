import type { Limits } from '../../../domain/plan/limits.ts';
import type { Group } from './group.ts';

/** POSIX counts the size of files in blocks of this many bytes. */
const BLOCK = 512;

/** Enters the groups and sets the limit before anything else is run; a lower limit of the user's own stays. */
const SCRIPT = `ulimit -f "$1" 2>/dev/null
shift
while [ "$1" != -- ]; do
  { echo 0 >"$1"; } 2>/dev/null || { echo 'helix: its limits cannot be set' >&2; exit 1; }
  shift
done
shift
exec "$@"`;

type Around = { readonly limits: Limits; readonly group: Group };

/** The argv that runs a program with its limits. */
export function withinLimits(argv: readonly string[], { limits, group }: Around): [string, ...string[]] {
  const blocks = limits.file_size === 'unlimited' ? 'unlimited' : String(Math.ceil(limits.file_size / BLOCK));
  return ['/bin/sh', '-c', SCRIPT, 'helix', blocks, ...group.doors, '--', ...argv];
}
