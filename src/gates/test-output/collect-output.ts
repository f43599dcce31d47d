import { sanitise } from '../../text/sanitise.ts';

/** What of a program's output is read for tests: each stream's lines, without colours. */
export type OutputLines = {
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  /** Whether something was left out between the beginning and the end of a stream. */
  readonly cut: boolean;
};

/** Takes lines as they come and keeps the beginning and the end of each stream. */
export type OutputCollector = {
  add(line: string, stream: 'stdout' | 'stderr'): void;
  lines(): OutputLines;
};

/** Room at the beginning of each stream, and as much again at its end. */
const ROOM = { characters: 4 * 1024 * 1024, lines: 100_000 } as const;
const MAX_LINE = 2000;
const MAX_JSON = 64 * 1024;
const XML = /<testcase|<testsuite|<\?xml/;
const ESCAPE = '\u001b';

export function collectOutput(): OutputCollector {
  const streams = { stdout: collectStream(), stderr: collectStream() };
  return {
    add: (line, stream) => streams[stream].add(plain(line)),
    lines: () => ({
      stdout: streams.stdout.lines(),
      stderr: streams.stderr.lines(),
      cut: streams.stdout.cut() || streams.stderr.cut(),
    }),
  };
}

function collectStream() {
  const head: string[] = [];
  let tail: string[] = [];
  let [headSize, tailSize, dropped, first] = [0, 0, 0, 0];
  let last = '';
  const fits = (lines: number, size: number) => lines < ROOM.lines && size < ROOM.characters;
  return {
    add(line: string): void {
      // A flood of empty lines says no more than one of them.
      if (line === '' && last === '') return;
      last = line;
      if (dropped === 0 && tail.length === 0 && fits(head.length, headSize + line.length)) {
        head.push(line);
        headSize += line.length;
        return;
      }
      tail.push(line);
      tailSize += line.length;
      while (first < tail.length - 1 && !fits(tail.length - first, tailSize)) {
        tailSize -= tail[first]?.length ?? 0;
        first += 1;
        dropped += 1;
      }
      if (first > ROOM.lines) {
        tail = tail.slice(first);
        first = 0;
      }
    },
    lines: (): readonly string[] => [...head, ...tail.slice(first)],
    cut: () => dropped > 0,
  };
}

/** A line as it would stand on a screen in the end, and not longer than any runner writes one that matters. */
function plain(line: string): string {
  const seen = line.includes(ESCAPE)
    ? sanitise(lastSegment(line.replaceAll(`${ESCAPE}[1G`, '\r').replaceAll(`${ESCAPE}[G`, '\r')))
    : lastSegment(line);
  if (seen.length <= MAX_LINE || XML.test(seen)) return seen.trimEnd();
  return seen.slice(0, seen.startsWith('{"') ? MAX_JSON : MAX_LINE);
}

/** What stands in a line after the cursor went back to its beginning. */
function lastSegment(line: string): string {
  return line.includes('\r') ? (line.trimEnd().split('\r').at(-1) ?? '') : line;
}
