import type { GcDocument } from '../../domain/documents/documents.ts';
import { oneLine } from '../../text/sanitise.ts';
import { count } from './count.ts';
import type { Paint } from './paint.ts';

type Kind = GcDocument['removed'][number]['kind'];

const SHOWN = 5;
const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

const NOUNS: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  process: ['process nobody waits for', 'processes nobody waits for'],
  group: ['control group', 'control groups'],
  worktree: ['worktree', 'worktrees'],
  copy: ['scratch copy', 'scratch copies'],
  index: ['index', 'indexes'],
  lock: ['lock', 'locks'],
  temporary: ['temporary file', 'temporary files'],
  'set-up': ['set of installed dependencies', 'sets of installed dependencies'],
  run: ['old run', 'old runs'],
  tree: ['tree', 'trees'],
  object: ['object', 'objects'],
  branch: ['branch', 'branches'],
  files: ['folder', 'folders'],
};

/** What was cleared away and what was kept, for people. */
export function renderGc(document: GcDocument, paint: Paint): string {
  const { dryRun, removed, kept, freedBytes } = document;
  const groups = Map.groupBy(removed, ({ kind }) => kind);
  const lines = [...groups].map(([kind, items]) => {
    const bytes = items.reduce((total, item) => total + item.bytes, 0);
    const size = bytes === 0 ? '' : ` (${renderBytes(bytes)})`;
    return `${verbOf(kind, dryRun)} ${whatOf(kind, items)}${size}`;
  });
  if (removed.length === 0) lines.push('nothing to clear up');
  if (freedBytes > 0) lines.push(paint('strong', `${dryRun ? 'would free' : 'freed'} ${renderBytes(freedBytes)}`));
  return [...lines, ...keptLines(kept, paint), ''].join('\n');
}

function verbOf(kind: Kind, dryRun: boolean): string {
  const [verb, done] = kind === 'process' ? ['end', 'ended'] : ['remove', 'removed'];
  return dryRun ? `would ${verb}` : done;
}

function whatOf(kind: Kind, items: GcDocument['removed']): string {
  const names = listOf(items.map(({ name }) => name));
  return kind === 'object' ? names : `${nounOf(kind, items.length)}: ${names}`;
}

function keptLines(kept: GcDocument['kept'], paint: Paint): string[] {
  const groups = Map.groupBy(kept, ({ kind, why }) => `${kind}\0${why}`);
  return [...groups.values()].map((items) => {
    const [{ kind, why } = { kind: 'run', why: '' } as const] = items;
    const names = listOf(items.map(({ name }) => name));
    const what = WHOLE.has(names) || kind === 'files' ? names : `${keptNoun(kind, items.length)} ${names}`;
    return paint('dim', `kept ${what}: ${oneLine(why, 300)}`);
  });
}

/** What is kept as a whole. */
const WHOLE: ReadonlySet<string> = new Set(['trees', 'objects']);

function keptNoun(kind: Kind, number: number): string {
  return kind === 'run' ? count(number, 'run') : nounOf(kind, number);
}

function nounOf(kind: Kind, number: number): string {
  const [one, many] = NOUNS[kind];
  return `${number} ${number === 1 ? one : many}`;
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => oneLine(name, 200));
  return names.length > SHOWN ? `${shown.join(', ')}, …` : shown.join(', ');
}

/** A size for people: 12 bytes, 3.4 MB. */
export function renderBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}
