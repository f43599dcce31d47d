import type { Adr, Place } from '../document/adr.ts';
import type { AdrText } from './adr-text.ts';
import { fieldValues, placeOfField } from './field-value.ts';
import { findSections } from './find-section.ts';
import type { Condition } from './rule-set.ts';
import { isHypothetical } from './words/hypothesis.ts';
import { isNegated } from './words/negation.ts';
import { findPhrase, type Match, type Phrase, phraseMatches } from './words/phrase.ts';

/** What a condition is judged on. */
export type Judged = { readonly adr: Adr; readonly text: AdrText; readonly negation: boolean };

/** Where an ADR meets a condition; undefined when it does not. */
export function meets(condition: Condition, judged: Judged): Place | undefined {
  const { adr } = judged;
  switch (condition.kind) {
    case 'field':
      return fieldValues(adr, condition.field).some((value) => sameValue(value, condition))
        ? placeOfField(adr, condition.field)
        : undefined;
    case 'not-empty':
      if (fieldValues(adr, condition.field).length > 0 !== condition.expected) return undefined;
      return placeOfField(adr, condition.field) ?? START;
    case 'contains':
      return mentioned(condition, judged);
    case 'section': {
      const [section] = findSections(adr, condition.name, judged.negation);
      return section === undefined ? undefined : { line: section.line, column: section.column };
    }
    case 'any':
      return first(condition.conditions, (each) => meets(each, judged));
    case 'all':
      return meetsAll(condition.conditions, judged);
  }
}

const START: Place = { line: 1, column: 1 };

/** Fields are looked at first: they are free, and most rules end there. */
function meetsAll(conditions: readonly Condition[], judged: Judged): Place | undefined {
  let place: Place | undefined;
  for (const each of conditions) {
    const found = meets(each, judged);
    if (found === undefined) return undefined;
    place ??= found;
  }
  return place ?? START;
}

function first<T, R>(values: readonly T[], find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** "major" is MAJOR; a status may have a date or an emoji beside it. */
function sameValue(value: string, { field, value: expected }: { field: string; value: string }): boolean {
  const [is, wanted] = [value.normalize('NFC').toLowerCase(), expected.normalize('NFC').trim().toLowerCase()];
  if (is === wanted || field !== 'status') return is === wanted;
  return (/\p{L}+/u.exec(is)?.[0] ?? '') === wanted;
}

function mentioned({ phrases, sought }: Extract<Condition, { kind: 'contains' }>, judged: Judged): Place | undefined {
  if (!judged.text.mayHave(sought)) return undefined;
  const { lower } = judged.text.body;
  // Many phrases share their rarest word: it is sought once.
  const found = new Map<string, boolean>();
  return first(phrases, (phrase) => {
    const present = found.get(phrase.rarest) ?? lower.includes(phrase.rarest);
    found.set(phrase.rarest, present);
    return present ? mentionOf(phrase, judged) : undefined;
  });
}

function mentionOf(phrase: Phrase, { adr, text, negation }: Judged): Place | undefined {
  const anywhere = findPhrase(text.body.lower, phrase, 0);
  if (anywhere === undefined || !negation) return anywhere && placeIn(adr, text.body.lower, anywhere);
  const { lower } = text.claims;
  for (const match of phraseMatches(lower, phrase))
    if (!isNegated(lower, match) && !isHypothetical(lower, match, phrase)) return placeIn(adr, lower, match);
  return undefined;
}

/** A heading is searched without its markup, so its column is the section's. */
function placeIn({ sections }: Adr, text: string, { start }: Match): Place {
  const before = text.slice(0, start).split('\n');
  const line = before.length;
  const heading = sections.find((section) => section.line === line);
  return { line, column: heading?.column ?? (before.at(-1)?.length ?? 0) + 1 };
}
