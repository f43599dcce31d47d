/** Who is told something. `judge` is whoever reads for a review phase, an approval gate or an approval phase. */
export type Column = 'creator' | 'judge' | 'verifier' | 'consultant' | 'human';

/** `told`: the planted word is there. `never`, or `-` where it is nobody's concern: it is not. */
type Cell = 'told' | 'never' | '-';

/** All of them, in the order of the table. */
export const COLUMNS: readonly Column[] = ['creator', 'judge', 'verifier', 'consultant', 'human'];

/** The facts of a run, and who is told of them: what agents, judges and people go by, cell by cell. */
const TABLE = `
                  creator  judge   verifier  consultant  human
request           told     told    told      told        told
specification     told     told    told      told        told
task              told     told    told      told        told
place             told     -       -         told        told
inputs            told     told    told      told        told
rules             told     told    told      told        told
findings          told     never   never     told        told
output            told     -       -         told        told
baseline          told     -       -         told        told
why-back          told     never   never     told        told
human-words       told     never   never     told        told
hints             told     never   never     told        told
conventions       told     told    -         told        -
claims            -        never   never     told        told
money             told     -       -         told        told
language          told     told    told      told        told
`;

/** The name of a fact: the first word of its line. */
export type Fact = string;

/** The cells by fact and reader. */
export const MATRIX: ReadonlyMap<Fact, Readonly<Record<Column, Cell>>> = new Map(
  TABLE.trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [fact = '', ...cells] = line.split(/\s+/);
      return [fact, Object.fromEntries(COLUMNS.map((column, at) => [column, cells[at]])) as Record<Column, Cell>];
    }),
);

/** All facts, in the order of the table. */
export const FACTS: readonly Fact[] = [...MATRIX.keys()];
