import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fieldsOf, listOf, textOf } from '../../../text/agent-words/fields.ts';
import { oneLine } from '../../../text/sanitise.ts';
import { isBelow } from '../../disk/is-below.ts';
import { namedPaths } from './named-paths.ts';

/** What an agent is answered when it asks whether it may do something, and what it was refused. */
export type Permission = { readonly answer: object; readonly denied?: string };

/** Kinds of tools that need to name no file. What a command touches cannot be told from its text: its walls are the agent's. */
const WITHOUT_FILES = new Set<unknown>(['execute', 'search', 'fetch', 'think', 'other']);

/** Lets an agent do what it does in its directory, once each time; all else, and what cannot be understood, it may not. */
export function answerPermission(params: unknown, dir: string): Permission {
  const { toolCall, options } = fieldsOf(params);
  const call = fieldsOf(toolCall);
  const offered = listOf(options).map(fieldsOf);
  const choose = (kind: string) => offered.find((option) => option.kind === kind);
  const leave = isAllowed(call, dir) ? choose('allow_once') : undefined;
  if (leave !== undefined) return { answer: selected(leave) };
  const refusal = choose('reject_once') ?? choose('reject_always');
  const answer = refusal === undefined ? { outcome: { outcome: 'cancelled' } } : selected(refusal);
  return { answer, denied: oneLine(textOf(call.title) ?? textOf(call.kind) ?? 'a tool', 300) };
}

function selected({ optionId }: Record<string, unknown>): object {
  return { outcome: { outcome: 'selected', optionId } };
}

function isAllowed(call: Record<string, unknown>, dir: string): boolean {
  if (call.kind === 'switch_mode') return false;
  const paths = namedPaths(call);
  if (paths.length === 0) return WITHOUT_FILES.has(call.kind);
  return paths.every((path) => path !== undefined && leadsInside(path, dir));
}

/** What goes up again may come out elsewhere, if a link is on its way. */
function leadsInside(path: string, dir: string): boolean {
  if (path.split('/').includes('..')) return false;
  const real = realPath(resolve(dir, path));
  return real !== undefined && isBelow(real, realPath(dir) ?? dir);
}

/** Where a path leads that need not exist yet; undefined for a link to nothing, behind which anything could come to be. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    if (isThere(path)) return undefined;
    const above = realPath(dirname(path));
    return above === undefined ? undefined : join(above, basename(path));
  }
}

/** What cannot be looked at may well be there. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
