import { lastLines, OUTPUT_ROOM } from '../../text/last-lines.ts';

/** What people are shown of it at once. */
const WORDS = { lines: 40, bytes: 1500 } as const;

/** The last words of a command and, where those are not all it said, as much of its end as an agent is told. */
export type Ending = { readonly words: string; readonly output: string | undefined };

/** The end of what a command said: the reason of a failure stands last. */
export function endingOf(said: string): Ending {
  const words = lastLines(said, WORDS);
  const output = lastLines(said, OUTPUT_ROOM);
  return { words, output: output === words ? undefined : output };
}
