import { structuredPatch } from 'diff';

const CONTEXT = 3;
/** Beyond this a file counts as rewritten: finding the shortest difference of two unlike files takes for ever. */
const LIMITS = { timeout: 1000, maxEditLength: 10_000 };
const NO_END = '\\ No newline at end of file';

/** One state of a file. */
export type PatchSide = {
  /** Of a link, where it leads; of a submodule, what git writes in its place. */
  readonly content: Buffer;
  readonly executable: boolean;
  /** What it is where it is no file. */
  readonly as?: 'link' | 'submodule';
};

/** What became of a file; a side is missing where there was none, or is none any more. */
export type PatchedFile = {
  readonly path: string;
  readonly before: PatchSide | undefined;
  readonly after: PatchSide | undefined;
};

type Patch = { readonly patch: Buffer; readonly added: number; readonly removed: number };

type Hunk = {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: readonly string[];
};

/** The difference of a file as `git apply` reads it, byte for byte, and how many lines it adds and removes. */
export function renderPatch({ path, before, after }: PatchedFile): Patch {
  if (before !== undefined && after !== undefined && before.as !== after.as) {
    // As git has it: a file does not change into a link or submodule, it goes and the other comes.
    const gone = renderPatch({ path, before, after: undefined });
    const came = renderPatch({ path, before: undefined, after });
    return { patch: Buffer.concat([gone.patch, came.patch]), added: came.added, removed: gone.removed };
  }
  const hunks = hunksOf(textOf(before), textOf(after));
  const names = hunks.length === 0 ? [] : [`--- ${sideName('a', path, before)}`, `+++ ${sideName('b', path, after)}`];
  const head = [`diff --git ${quoted(`a/${path}`)} ${quoted(`b/${path}`)}`, ...modes(before, after), ...names];
  const body = hunks.flatMap((hunk) => [rangeOf(hunk), ...hunk.lines]);
  const counted = (sign: string) => body.filter((line) => line.startsWith(sign)).length;
  const patch = Buffer.concat([Buffer.from(`${head.join('\n')}\n`), latin1(body)]);
  return { patch, added: counted('+'), removed: counted('-') };
}

/** A character for each byte, so that every encoding and every broken one comes out as it went in. */
function textOf(side: PatchSide | undefined): string {
  return side?.content.toString('latin1') ?? '';
}

function latin1(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1');
}

function hunksOf(before: string, after: string): readonly Hunk[] {
  if (before === after) return [];
  if (before === '' || after === '') return [rewritten(before, after)];
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: CONTEXT, ...LIMITS });
  return patch?.hunks ?? [rewritten(before, after)];
}

function rewritten(before: string, after: string): Hunk {
  const [old, now] = [linesOf(before, '-'), linesOf(after, '+')];
  return {
    ...{ oldStart: 1, newStart: 1, oldLines: countOf(old), newLines: countOf(now) },
    lines: [...old, ...now],
  };
}

function linesOf(text: string, sign: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const isWhole = lines.at(-1) === '';
  if (isWhole) lines.pop();
  return [...lines.map((line) => sign + line), ...(isWhole ? [] : [NO_END])];
}

function countOf(lines: readonly string[]): number {
  return lines.at(-1) === NO_END ? lines.length - 1 : lines.length;
}

/** Where a side has no lines, its first number is one lower. */
function rangeOf({ oldStart, oldLines, newStart, newLines }: Hunk): string {
  const start = (at: number, lines: number) => (lines === 0 ? at - 1 : at);
  return `@@ -${start(oldStart, oldLines)},${oldLines} +${start(newStart, newLines)},${newLines} @@`;
}

const OTHER = { link: '120000', submodule: '160000' } as const;

function modes(before: PatchSide | undefined, after: PatchSide | undefined): string[] {
  const mode = ({ executable, as }: PatchSide) => (as === undefined ? (executable ? '100755' : '100644') : OTHER[as]);
  if (before === undefined) return after === undefined ? [] : [`new file mode ${mode(after)}`];
  if (after === undefined) return [`deleted file mode ${mode(before)}`];
  return mode(before) === mode(after) ? [] : [`old mode ${mode(before)}`, `new mode ${mode(after)}`];
}

/** A tab shows where a name with spaces ends. */
function sideName(side: 'a' | 'b', path: string, content: PatchSide | undefined): string {
  if (content === undefined) return '/dev/null';
  const name = quoted(`${side}/${path}`);
  return name.includes(' ') ? `${name}\t` : name;
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\' };

/** A name as git writes it where it could be mistaken for something else. */
function quoted(name: string): string {
  const escaped = name.replaceAll(/["\\\p{Cc}]/gu, (character) => ESCAPES[character] ?? octal(character));
  return escaped === name ? name : `"${escaped}"`;
}

function octal(character: string): string {
  return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
