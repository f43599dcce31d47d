import type { ConceptDiffDocument } from '../../domain/documents/adr-documents.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Paint } from '../words/paint.ts';

type View = { readonly adr: string; readonly paint: Paint };
type Compared = Omit<ConceptDiffDocument['missing'][number], 'below' | 'evidence'>;

/** What of a concept an ADR kept, for people: each difference with its place in both files. */
export function renderConceptDiff(diff: ConceptDiffDocument, view: View): string {
  const { missing, thinned, changed, extra, waived } = diff;
  const { paint } = view;
  const part = (heading: string, entries: readonly (readonly string[])[]): string[] =>
    entries.length === 0 ? [] : [paint('strong', `${heading}: ${entries.length}`), ...entries.flat(), ''];
  const entry = (compared: Compared, ...lines: readonly string[]) => entryOf(compared, lines, diff, view);
  return [
    `${oneLine(view.adr)} carries on ${diff.coveragePercent} % of ${oneLine(diff.concept)}`,
    '',
    ...part(
      'Lost',
      missing.map((lost) => entry(lost, listed('with', lost.below), lostOf(lost.evidence))),
    ),
    ...part(
      'Thinned',
      thinned.map((each) =>
        entry(
          each,
          `${each.lostItems} of ${each.items} points ${each.lostItems === 1 ? 'is' : 'are'} gone`,
          lostOf(each.evidence),
        ),
      ),
    ),
    ...part(
      'Changed',
      changed.map((each) =>
        entry(each, `"${each.before}" became "${each.after}"`, `${each.text} → ${each.changedText}`),
      ),
    ),
    ...part(
      'Left out on purpose',
      waived.map(({ title, line, column, reason }) => [
        `  ${oneLine(diff.concept)}:${line}:${column}  ${oneLine(title)}: ${oneLine(reason)}`,
      ]),
    ),
    ...part(
      'New in the ADR',
      extra.map(({ title, line, column }) => [`  ${oneLine(view.adr)}:${line}:${column}  ${oneLine(title)}`]),
    ),
    ...(missing.length + thinned.length + changed.length === 0 ? [conclusion(diff, paint), ''] : []),
  ].join('\n');
}

/** A concept that says nothing has nothing to lose, which is no good news. */
function conclusion({ coveragePercent }: ConceptDiffDocument, paint: Paint): string {
  return coveragePercent === 0 ? paint('bad', 'The concept says nothing.') : paint('good', 'Nothing is lost.');
}

function entryOf(compared: Compared, lines: readonly string[], { concept }: ConceptDiffDocument, view: View): string[] {
  const { title, line, column, obligation, best } = compared;
  const { paint, adr } = view;
  const must = obligation === null ? '' : `  ${paint('bad', `must be delivered: ${oneLine(obligation)}`)}`;
  const nearest =
    best === null
      ? 'nothing in the ADR comes near'
      : `nearest: ${oneLine(adr)}:${best.line}:${best.column}  ${oneLine(best.section)} (similarity ${best.similarity})`;
  return [
    `  ${paint('strong', `${oneLine(concept)}:${line}:${column}`)}  ${oneLine(title)}${must}`,
    ...[nearest, ...lines].filter((text) => text !== '').map((text) => `    ${oneLine(text, 1000)}`),
  ];
}

function lostOf({ terms, values, items }: ConceptDiffDocument['missing'][number]['evidence']): string {
  return items.length > 0 ? listed('lost', [...values, ...items]) : listed('lost', [...values, ...terms]);
}

function listed(heading: string, words: readonly string[]): string {
  return words.length === 0 ? '' : `${heading}: ${words.slice(0, 8).join(' · ')}`;
}
