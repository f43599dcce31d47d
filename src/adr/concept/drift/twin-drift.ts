import type { AdrView } from '../index/adr-index.ts';
import type { ConceptSection, Point } from '../index/prepare-concept.ts';
import { isIn, type Range, scoresOf } from '../index/weights.ts';
import {
  areTwins,
  isLooseChange,
  type LooseSentence,
  looseKey,
  looseSentencesOf,
  looseUnit,
} from '../read/loose-values.ts';
import { termOfValue, type Written } from '../read/parts.ts';
import type { Value } from '../read/values.ts';
import type { Drift } from './drift.ts';

const ITEMS_SEARCHED = 4;
const SENTENCES_READ = 50;
/** An item with less of the words of a sentence has no twin of it. */
const FEWEST = 0.5;

/** Finds versions and single things counted that became others in a sentence that is the same for the rest. */
export function findTwinDrift(
  index: AdrView,
  { concept, item, ranges }: { concept: ConceptSection; item: Point; ranges: readonly Range[] },
): Drift[] {
  const told = new Set<string>();
  return item.looseSentences().flatMap((sentence) => {
    const gone = sentence.values.filter((value) => {
      const places = index.placesOf(termOfValue(value));
      return !told.has(looseKey(value)) && !ranges.some((range) => isIn(places, range));
    });
    if (gone.length === 0) return [];
    const nearest = [...scoresOf(index.itemPostings, sentence.weights)]
      .filter(([, score]) => score >= FEWEST * sentence.weights.total)
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, ITEMS_SEARCHED)
      .flatMap(([at]) => {
        const found = index.items[at];
        if (found === undefined) return [];
        const { part, line } = found;
        return readOnce(found).map((sentence) => ({ sentence, part, line }));
      });
    for (const other of nearest) for (const value of other.sentence.values) told.add(looseKey(value));
    const twin = nearest.find((other) => areTwins(sentence, other.sentence));
    if (twin === undefined) return [];
    return gone.flatMap((value) => {
      const changed = told.has(looseKey(value)) ? undefined : atSamePlace(value, sentence, twin.sentence);
      if (changed === undefined || looseValuesOf(concept).has(looseKey(changed))) return [];
      told.add(looseKey(value));
      return [
        { item, value, sentence: sentence.text, other: { ...twin, value: changed, sentence: twin.sentence.text } },
      ];
    });
  });
}

function atSamePlace(value: Value, { values }: LooseSentence, { values: all }: LooseSentence): Value | undefined {
  const isSame = ({ unit }: Value) => looseUnit(unit) === looseUnit(value.unit);
  const [here, there] = [values.filter(isSame), all.filter(isSame)];
  const other = here.length === there.length ? there[here.indexOf(value)] : undefined;
  return other !== undefined && isLooseChange(value, other) ? other : undefined;
}

const READ = new WeakMap<Written, readonly LooseSentence[]>();

/** A long paragraph may be near to each sentence of another one. */
function readOnce(item: Written): readonly LooseSentence[] {
  const known = READ.get(item) ?? looseSentencesOf(item.text).slice(0, SENTENCES_READ);
  READ.set(item, known);
  return known;
}

const LOOSE = new WeakMap<ConceptSection, ReadonlySet<string>>();

/** All that a section tells: what it has in another place did not come from a change. */
function looseValuesOf(concept: ConceptSection): ReadonlySet<string> {
  const known = LOOSE.get(concept);
  if (known !== undefined) return known;
  const sentences = concept.points.flatMap((point) => point.looseSentences());
  const values = new Set(sentences.flatMap((sentence) => sentence.values.map(looseKey)));
  LOOSE.set(concept, values);
  return values;
}
