import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Sent } from './listening.ts';
import { COLUMNS, type Column, FACTS, MATRIX } from './matrix/matrix.ts';
import { type Heard, play, STORIES, type Story, wordFor } from './matrix/stories.ts';

type Reader = {
  readonly name: string;
  readonly column: Column;
  /** What it was told, where it was told anything in a story. */
  readonly told: (heard: Heard) => string | undefined;
  /** All that it could read besides. */
  readonly around?: (heard: Heard) => string;
};

const READERS: readonly Reader[] = [
  { name: 'creator', column: 'creator', told: ({ creator }) => creator.brief },
  judge('review', 'judge', ({ review }) => review),
  judge('judge of an approval gate', 'judge', ({ gateJudge }) => gateJudge),
  judge('judge of an approval phase', 'judge', ({ phaseJudge }) => phaseJudge),
  judge('verifier', 'verifier', ({ verifier }) => verifier),
  { name: 'consultant', column: 'consultant', told: ({ consultant }) => consultant && ownWords(consultant.brief) },
  { name: 'human (hil-request.json)', column: 'human', told: ({ human }) => human?.request },
  { name: 'human (helix decide)', column: 'human', told: ({ human }) => human?.card.replaceAll(/\s+/g, ' ') },
];

function judge(name: string, column: Column, of: (heard: Heard) => Sent): Reader {
  return {
    ...{ name, column },
    told: (heard) => of(heard).brief + of(heard).instructions,
    around: (heard) => Object.values(of(heard).files).join('\n'),
  };
}

/** The brief of a consultant without the briefs of creators that it quotes: what it should know it is told itself. */
function ownWords(brief: string): string {
  return brief.replaceAll(/What it was told:\n\n(`{3,})text\n[\s\S]*?\n\1(?=\n|$)/g, '');
}

/** The cells in which a reader was not told what it should be, or told what it should not. */
function wrongCells(story: Story, { name, column, told, around = () => '' }: Reader, heard: Heard): string[] {
  const text = told(heard);
  if (text === undefined) return [];
  return FACTS.flatMap((fact) => {
    const word = wordFor(story, fact, [name, column]);
    const cell = MATRIX.get(fact)?.[column];
    if (word === undefined) return [];
    const isTold = new RegExp(word).test(cell === 'never' ? `${text}\n${around(heard)}` : text);
    return isTold === (cell === 'told') ? [] : [`${fact} is ${isTold ? '' : 'not '}told: ${word}`];
  });
}

/** Played side by side: most of the time one of them waits for git. */
const heardIn = new Map<Story, Heard>();
beforeAll(async () => {
  await Promise.all(STORIES.map(async (story) => heardIn.set(story, await play(story))));
}, 300_000);

describe.each(STORIES)('$name', (story) => {
  it.each(READERS)('the $name is told what concerns it, and nothing else', (reader) => {
    const heard = heardIn.get(story);
    expect(heard && wrongCells(story, reader, heard)).toEqual([]);
  });
});

it('every fact is planted for every reader in some story', () => {
  for (const fact of FACTS)
    for (const column of COLUMNS) {
      const where = STORIES.filter((story) => wordFor(story, fact, [column]) !== undefined);
      expect(where.length, `${fact} for the ${column}`).toBeGreaterThan(0);
    }
});

const CONTRACT = fileURLToPath(new URL('../../../shared/design/BRIEFS.md', import.meta.url));

it.skipIf(!existsSync(CONTRACT))('the table is the contract’s, cell by cell', () => {
  const rows = readFileSync(CONTRACT, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| fact'))
    .map((line) => line.split('|').slice(1, -1));
  const cells = rows.map(([, ...row]) =>
    row.map((text) => (/never|spec changes only/.test(text) ? 'never' : /^ – *$/.test(text) ? '-' : 'told')),
  );
  expect(cells).toEqual([...MATRIX.values()].map((row) => COLUMNS.map((column) => row[column])));
});
