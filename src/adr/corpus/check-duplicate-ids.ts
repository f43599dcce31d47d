import type { Adr, AdrFinding } from '../adr.ts';
import type { Corpus } from './corpus.ts';
import { corpusFinding } from './corpus-finding.ts';
import { fileName, folderOf, isTemplate, languageInName, ownId } from './own-id.ts';

/** A part of the ADR whose number it has. */
const ANNEX = /[-_. ](?:annexe?|appendix|addendum|anhang)[-_. ]?\w{0,3}\.(?:md|markdown)$/i;

/** Two files of one folder must not have the same id; translations, annexes and templates are not counted. */
export function checkDuplicateIds({ adrs, all }: Corpus): AdrFinding[] {
  const judged = new Set(adrs);
  const groups = new Map<string, Adr[]>();
  for (const adr of all) {
    const id = ownId(adr)?.value;
    if (id === undefined || isTemplate(adr.path) || ANNEX.test(fileName(adr.path))) continue;
    const key = `${folderOf(adr.path)}\n${languageInName(adr.path)}\n${id}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [adr]);
    else group.push(adr);
  }
  return [...groups.values()].flatMap((group) => duplicatesIn(group, judged));
}

function duplicatesIn(group: readonly Adr[], judged: ReadonlySet<Adr>): AdrFinding[] {
  const [first, second] = group;
  if (first === undefined || second === undefined) return [];
  // The first of them keeps its id, unless it is the only one that is judged.
  const blamed = group.slice(1).filter((adr) => judged.has(adr));
  return (blamed.length === 0 && judged.has(first) ? [first] : blamed).flatMap((adr) => {
    const id = ownId(adr);
    const other = adr === first ? second : first;
    if (id === undefined) return [];
    return [
      corpusFinding(adr, id, {
        severity: 'error',
        check: 'duplicate-id',
        message: `the id ${id.value} is also that of ${fileName(other.path)}`,
        hint: 'give one of them the next free number, and correct the references to it',
      }),
    ];
  });
}
