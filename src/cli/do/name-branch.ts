import { homedir } from 'node:os';
import { projectCache } from '../../adapters/disk/cache-directory.ts';
import type { UserRepository } from '../../adapters/repo/user/user-repository.ts';
import { type Held, type Reservation, reserve } from '../../adapters/repo/work/reserved-branch.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { oneLine } from '../../text/sanitise.ts';

const FOLDER = 'helix/';
const MOST_WORDS = 5;
const LONGEST = 40;
const TRIES = 100;
const LONGEST_TASK = 200;
/** Words that say nothing about a task. */
const SMALL = new Set('the a an to of for in on at it its is are be and or with that this there please'.split(' '));

/** A short name made from what a task is about: the first words of its first clause that say something. */
export function slugOf(task: string): string {
  const plain = task.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
  const clauses = plain.split(/[;:.!?\n]+(?:\s|$)/).map(tellingWords);
  const words = clauses.find(({ length }) => length > 1) ?? tellingWords(plain);
  let slug = '';
  for (const word of words.slice(0, MOST_WORDS)) {
    const longer = slug === '' ? [...word].slice(0, LONGEST).join('') : `${slug}-${word}`;
    if (longer.length > LONGEST) break;
    slug = longer;
  }
  return slug === '' ? 'change' : slug;
}

/** A character that cannot be seen is spelt out in a task; the letters of that are no word of it. */
const SPELT_OUT = /\\u\{[0-9a-f]+\}/g;

function tellingWords(text: string): string[] {
  return [...new Set(text.replaceAll(SPELT_OUT, '').match(/[\p{L}\p{N}]+/gu) ?? [])].filter((word) => !SMALL.has(word));
}

/** The branch a task's work goes to: the one that is wanted, which must be free, or one named after the task. */
export async function nameBranch(user: UserRepository, task: string, wanted: string | undefined): Promise<string> {
  const refs = await user.refs();
  if (wanted !== undefined) {
    await requireName(user, wanted);
    const taken = clash(wanted, [...refs.keys()]);
    if (taken === undefined) return wanted;
    throw new HelixError('usage', `the branch ${JSON.stringify(wanted)} cannot be made: ${taken}`, {
      hint: 'Name another one with --branch, or leave it out.',
    });
  }
  const base = FOLDER + slugOf(task);
  for (let n = 1; n <= TRIES; n += 1) {
    const name = n === 1 ? base : `${base}-${n}`;
    if (clash(name, [...refs.keys()]) === undefined) return name;
  }
  throw new HelixError('usage', `there are ${TRIES} branches called ${base} already`, {
    hint: 'Name one with --branch, or clear up: helix gc',
  });
}

/** Makes the branch where the work will start, so that nobody else takes its name; it is to be settled once the run has begun. */
export async function reserveBranch(
  user: UserRepository,
  branch: string,
  { commit, task }: Omit<Reservation, 'ref'>,
): Promise<Held> {
  const cacheDir = projectCache(user.top, process.env, homedir());
  const wanted = { ref: `refs/heads/${branch}`, commit, task: oneLine(task, LONGEST_TASK) };
  return reserve(user, cacheDir, wanted).catch((cause: Error) => {
    throw new HelixError('usage', `the branch ${branch} cannot be made: ${cause.message}`, {
      hint: 'Somebody made it just now; call helix do once more, or name another one with --branch.',
      cause,
    });
  });
}

/** A branch of that name, or one that is a folder where the other is a name; or a tag, which git would merge in its place. */
function clash(name: string, refs: readonly string[]): string | undefined {
  const ref = `refs/heads/${name}`;
  if (refs.includes(`refs/tags/${name}`)) return 'there is a tag of that name';
  const found = refs.find((each) => each === ref || each.startsWith(`${ref}/`) || ref.startsWith(`${each}/`));
  if (found === ref) return 'there is one of that name';
  return (
    found && `there is a branch ${found.replace(/^refs\/heads\//, '')}, and git keeps one name no folder of another`
  );
}

async function requireName(user: UserRepository, name: string): Promise<void> {
  const place = { gitDir: user.gitDir, answers: [1, 128, 129] };
  const { code, out } = await user.git.run(['check-ref-format', '--branch', name], place);
  if (code === 0 && out.toString().trim() === name) return;
  throw new HelixError('usage', `${JSON.stringify(name)} cannot be the name of a branch`, {
    hint: 'For example: --branch csv-umlauts',
  });
}
