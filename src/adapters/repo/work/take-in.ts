import type { Finding } from '../../../domain/finding.ts';
import { HelixError } from '../../../domain/helix-error.ts';
import { excerpt } from '../../../text/sanitise.ts';
import type { Git, GitPlace } from '../git/git.ts';
import { type Changes, notKept } from './changes.ts';

/** More than this is no matter of single files. */
const MAX_REFUSED = 20;
const NUL = Buffer.from([0]);

/** Takes changes into the index; what git will not have stays as it was, and is told. */
export async function takeIn(git: Git, place: GitPlace, changes: Changes): Promise<Finding[]> {
  const { removals } = changes;
  if (removals.length > 0) await git.run(['update-index', '-z', '--index-info'], { ...place, input: removals });
  const notices: Finding[] = [];
  const queue = [changes.additions];
  let refused = 0;
  for (let paths = queue.shift(); paths !== undefined; paths = queue.shift()) {
    const [first] = paths;
    if (first === undefined) continue;
    try {
      notices.push(...(await add(git, place, paths)));
    } catch (error) {
      if (!(error instanceof HelixError) || error.code !== 'io') throw error;
      if (paths.length > 1) queue.push(...halves(paths));
      else if (++refused > MAX_REFUSED) throw error;
      else notices.push(notKept(first.toString('utf8'), `is nothing git can keep (${reason(error.message)})`));
    }
  }
  return notices;
}

async function add(git: Git, place: GitPlace, paths: readonly Buffer[]): Promise<Finding[]> {
  const args = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'];
  const { said } = await git.run(args, { ...place, input: Buffer.concat(paths.flatMap((path) => [path, NUL])) });
  const ignored = [...said.matchAll(/^Ignoring path (.*)$/gm)];
  return ignored.map(([, path = '']) => notKept(excerpt(path, 300), 'has a name git does not allow'));
}

function halves<T>(items: readonly T[]): (readonly T[])[] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

function reason(message: string): string {
  return /(?:error|fatal): (.*)$/s.exec(message)?.[1] ?? message;
}
