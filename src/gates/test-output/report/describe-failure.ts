import { findPlaces } from './find-places.ts';
import type { FailedTest } from './test-report.ts';

const MAX_LINES = 80;
const MAX_MESSAGE_LINES = 14;
const MAX_MESSAGE = 800;

/** Where a message ends: stack frames and pictures of the code. */
const TRACE = /^\s*(?:at \S|❯ |(?:> {1,4})?\d{0,7} ?\|)/;

/** What a block of lines says about a failure: the message before its stack trace, and the places in it. */
export function describeFailure(
  block: readonly string[],
  isTrace: (line: string) => boolean = (line) => TRACE.test(line),
): Pick<FailedTest, 'message' | 'places'> {
  const lines = block.slice(0, MAX_LINES);
  const trace = lines.findIndex(isTrace);
  const { message } = messageOf(trace === -1 ? lines : lines.slice(0, trace));
  const frames = findPlaces(trace === -1 ? lines : lines.slice(trace));
  return { message, places: frames.length > 0 ? frames : findPlaces(lines) };
}

/** Lines as a message: without the margin they share, and not too many. */
export function messageOf(lines: readonly string[]): Pick<FailedTest, 'message'> {
  const told = lines.filter((line) => line.trim() !== '').slice(0, MAX_MESSAGE_LINES);
  const margin = Math.min(...told.map((line) => line.length - line.trimStart().length));
  const text = told
    .map((line) => line.slice(margin).trimEnd())
    .join('\n')
    .trimStart();
  return { message: text === '' ? undefined : text.slice(0, MAX_MESSAGE) };
}

/** The lines from `start` up to the first that ends a block, or as many as a description needs. */
export function blockFrom(lines: readonly string[], start: number, isEnd: (line: string) => boolean): string[] {
  const block: string[] = [];
  for (const line of lines.slice(start, start + MAX_LINES)) {
    if (isEnd(line)) break;
    block.push(line);
  }
  return block;
}
