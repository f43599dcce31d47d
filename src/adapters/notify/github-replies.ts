import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { HelixError } from '../../domain/helix-error.ts';
import type { HeardAnswer, ToldNotice } from '../../ports/notifier.ts';
import { excerpt, oneLine } from '../../text/sanitise.ts';
import { markOf } from './github-comment.ts';

const LONGEST = 4000;

const Comment = z.object({
  id: z.number(),
  body: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  user: z.object({ login: z.string() }).nullable(),
});
/** One comment as GitHub lists it. */
export type Comment = z.infer<typeof Comment>;

/** The comments in what `gh` printed: a list, or one on each line. */
export function parseComments(printed: string): Comment[] {
  try {
    return z.array(Comment).parse(values(printed).flat());
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
    throw new HelixError('io', 'gh printed something that is no list of comments', { cause: error });
  }
}

function values(printed: string): unknown[] {
  const text = printed.trim();
  if (text.startsWith('[')) return [JSON.parse(text)];
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]));
}

type Place = {
  readonly told: readonly ToldNotice[];
  readonly users: readonly string[];
  /** What it is called for people. */
  readonly place: string;
};
type Replies = { readonly answers: HeardAnswer[]; readonly ignored: string[] };

/** What the comments decide: the first valid answer to each open question counts, and nothing that is unclear. */
export function readReplies(comments: readonly Comment[], place: Place): Replies {
  const reading = new Reading(place);
  for (const comment of comments.toSorted((a, b) => a.id - b.id)) reading.take(comment);
  return reading.replies;
}

/** Goes through the comments in their order, so that each is taken for what it could mean when it was written. */
class Reading {
  readonly replies: Replies = { answers: [], ignored: [] };
  readonly #place: Place;
  /** The questions that people could know of so far and that nobody has answered here. */
  readonly #asked = new Map<string, ToldNotice>();
  /** A question may be told twice, and is still one. */
  readonly #known = new Set<string>();
  /** Another run asked something since. */
  #foreign = false;

  constructor(place: Place) {
    this.#place = place;
  }

  take(comment: Comment): void {
    const body = comment.body ?? '';
    const mark = markOf(body);
    const isEdited = comment.created_at !== comment.updated_at;
    if (mark !== undefined) {
      if (!isEdited) this.#ask(mark);
      return;
    }
    const login = comment.user?.login ?? '';
    const isKnown = this.#place.users.some((user) => isSame(user, login));
    const words = /^\s*\/helix(?=\s|$)(.*)$/s.exec(body)?.[1];
    if (words === undefined || !isKnown || this.#asked.size === 0) return;
    if (isEdited) this.#ignore(comment, 'it was edited; write a new one');
    else this.#answer(comment, words);
  }

  #ask({ request, mark }: { request: string; mark: string }): void {
    const own = this.#place.told.find((notice) => notice.document.request === request);
    if (own === undefined) this.#foreign = true;
    if (own?.mark !== mark || this.#known.has(request)) return;
    this.#known.add(request);
    this.#asked.set(request, own);
    this.#foreign = false;
  }

  #answer(comment: Comment, words: string): void {
    const [first, rest] = cut(words);
    const named = [...this.#asked.values()].find(({ document }) => isSame(document.request, first));
    const asked = named ?? this.#only(comment);
    const [wanted, said] = named === undefined ? [first, rest] : cut(rest);
    const option = asked?.document.options.find(({ id }) => isSame(id, wanted));
    if (asked === undefined) this.#ignore(comment, 'it does not say which of the open questions it answers');
    else if (option === undefined) {
      this.#ignore(comment, `${asked.document.request} has no option ${oneLine(wanted, 40)}`);
    } else this.#settle(asked, comment, { option: option.id, said });
  }

  /** Only what can be taken settles a question, so that nothing unusable stands in the way of what comes after it. */
  #settle(asked: ToldNotice, reply: Comment, { option, said }: { option: string; said: string }): void {
    const { request } = asked.document;
    const comment = excerpt(unquoted(said), LONGEST).trim();
    const actor = `github:${reply.user?.login ?? ''}`;
    const answer = { request, option, ...(comment !== '' && { comment }), actor };
    if (asked.settled !== undefined) {
      if (isDeepStrictEqual({ ...asked.settled.by, request }, answer)) this.#asked.delete(request);
      return;
    }
    const refusal = asked.refusal(answer);
    if (refusal !== undefined) this.#ignore(reply, refusal);
    else {
      this.#asked.delete(request);
      this.replies.answers.push(answer);
    }
  }

  /** The one question that was open when the comment was written. */
  #only({ created_at }: Comment): ToldNotice | undefined {
    const written = Date.parse(created_at);
    const open = [...this.#asked.values()].filter(({ settled }) => !(Date.parse(settled?.at ?? '') <= written));
    return open.length === 1 && !this.#foreign ? open[0] : undefined;
  }

  #ignore({ id, user }: Comment, reason: string): void {
    const who = oneLine(user?.login ?? '', 40);
    this.replies.ignored.push(`comment ${id} of ${who} on ${this.#place.place} does not count: ${reason}`);
  }
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The first word, and the rest. */
function cut(words: string): [first: string, rest: string] {
  const [, first = '', rest = ''] = /^\s*(\S*)\s*(.*)$/s.exec(words) ?? [];
  return [first, rest];
}

/** An answer by mail repeats what it answers. */
function unquoted(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n');
}
