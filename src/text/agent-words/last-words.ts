import { transcriptWords } from './transcript-words.ts';

const LONGEST_LINE = 1024 * 1024;

/** The end of what an agent said, whole lines of its transcript, at most so many characters. */
export function lastWords(lines: readonly string[], characters: number): string {
  const told: string[] = [];
  let room = characters;
  for (let index = lines.length - 1; index >= 0 && room > 0; index -= 1) {
    const line = lines[index] ?? '';
    const said = line.length > LONGEST_LINE ? '[a line too long to be shown]' : transcriptWords(line)?.trim();
    if (said === undefined || said === '') continue;
    const kept = said.slice(-room);
    told.unshift(kept);
    room -= kept.length + 1;
  }
  return told.join('\n');
}
