import { messageOf } from '../report/describe-failure.ts';
import { findPlaces } from '../report/find-places.ts';
import type { FailedTest, Place } from '../report/test-report.ts';

const MAX_BLOCK = 400;

export type Diagnostics = Pick<FailedTest, 'message' | 'places'> & {
  /** Where the test itself stands. */
  readonly declared: Place | undefined;
  /** The index of the last line read. */
  readonly end: number;
};

const NOTHING = { message: undefined, places: [], declared: undefined };

/** What follows a result of TAP: a block of YAML between `---` and `...`, or comments. */
export function describeDiagnostics(
  lines: readonly string[],
  start: number,
  { depth, wanted }: { depth: number; wanted: boolean },
): Diagnostics {
  const opening = /^( +)---$/.exec(lines[start] ?? '');
  if (opening === null || (opening[1]?.length ?? 0) <= depth) {
    return { ...(wanted ? fromComments(lines, start, depth) : NOTHING), end: start - 1 };
  }
  const closing = `${opening[1]}...`;
  for (let end = start + 1; end < Math.min(lines.length, start + MAX_BLOCK); end += 1) {
    if (lines[end] === closing) return { ...(wanted ? fromYaml(lines.slice(start + 1, end)) : NOTHING), end };
  }
  return { ...NOTHING, end: start };
}

/** No YAML parser: the writers of TAP do not agree on its dialect, and only a few keys matter. */
function fromYaml(block: readonly string[]): Omit<Diagnostics, 'end'> {
  let message: string | undefined;
  const declared: string[] = [];
  const trace: string[] = [];
  for (const [index, line] of block.entries()) {
    const [, indent = '', key, value = ''] = /^( *)(error|message|location|at|stack): ?(.*)$/.exec(line) ?? [];
    if (key === 'location' || key === 'at') declared.push(value);
    if (key === 'stack') trace.push(...nested(block, index, indent.length));
    if ((key === 'error' || key === 'message') && message === undefined) {
      const text = /^[|>]/.test(value) ? nested(block, index, indent.length) : [unquoted(value)];
      message = messageOf(text).message;
    }
  }
  const stated = findPlaces(declared.length > 0 ? declared : (message?.split('\n') ?? []));
  return { message, places: [...findPlaces(trace), ...stated], declared: stated[0] };
}

function nested(block: readonly string[], index: number, depth: number): string[] {
  const lines: string[] = [];
  for (const line of block.slice(index + 1, index + 60)) {
    if (line.trim() !== '' && line.length - line.trimStart().length <= depth) break;
    lines.push(line);
  }
  return lines;
}

function unquoted(value: string): string {
  const quoted = /^(['"])(.*)\1$/.exec(value);
  return quoted?.[2]?.replaceAll('\\"', '"') ?? value.replace(/^["']/, '');
}

function fromComments(lines: readonly string[], start: number, depth: number): Omit<Diagnostics, 'end'> {
  const margin = `${' '.repeat(depth)}# `;
  const told: string[] = [];
  for (const line of lines.slice(start, start + 20)) {
    if (!line.startsWith(margin) || line.startsWith(`${margin}Subtest: `)) break;
    told.push(line.slice(margin.length));
  }
  const places = findPlaces(told);
  return { ...messageOf(told), places, declared: places[0] };
}
