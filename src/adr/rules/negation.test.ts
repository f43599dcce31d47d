import { expect, it } from 'vitest';
import { isHypothetical } from './hypothesis.ts';
import { isNegated } from './negation.ts';
import { findPhrase, phrase } from './phrase.ts';

function says(words: string, text: string): boolean {
  const [wanted, lower] = [phrase(words), text.toLowerCase()];
  const match = findPhrase(lower, wanted, 0);
  if (match === undefined) throw new Error(`"${words}" is not in "${text}"`);
  return !isNegated(lower, match);
}

it.each([
  'Kein Rollback geplant',
  'Es gibt keinerlei Rollback',
  'Ohne Rollback',
  'Ein Rollback ist nicht vorgesehen',
  'Ein Rollback der Datenbank ist derzeit nicht möglich',
  'Rollback entfällt',
  'Rollback: nicht nötig',
  'Rollback: n/a',
  '**Rollback:** none.',
  'Rollback? Nein.',
  '| Rollback | keiner |',
  'Rollback (nicht vorgesehen)',
  'Rollback – nicht vorgesehen',
  'Rollback nicht vorgesehen',
  'Auf einen Rollback wird verzichtet',
  'no rollback planned',
  'We do not plan a rollback',
  "A rollback isn't planned",
  'A rollback will not be provided',
  'neither a migration nor a rollback',
  'Rollback is out of scope',
  'No migration and rollback',
  "Un rollback n'est pas prévu",
  'aucun rollback',
  'There is no\nrollback',
])('is denied: %s', (text) => {
  expect(says('rollback', text)).toBe(false);
});

it.each([
  'Rollback: keine Datenverluste',
  'Rollback in 5 Minuten ohne Datenverlust',
  'Rollback darf nicht länger als 5 Minuten dauern',
  'The rollback must not lose data',
  'Rollback if the service does not start',
  'Rollback bei nicht erfolgreichem Deployment',
  'Nie ohne Rollback',
  'This cannot be done without rollback',
  'Not only a migration but a rollback',
  'nicht nur Migration und Rollback',
  'There is no data loss on rollback',
  'Keine Ausfallzeit beim Rollback',
  'Wenn es nicht klappt, Rollback auf v1',
  'Kein Problem. Rollback auf v1',
  '- nothing else\n- Rollback auf v1',
  'Clients do not work and rollback starts',
])('is not denied: %s', (text) => {
  expect(says('rollback', text)).toBe(true);
});

it.each([
  ['Dies ist ein Breaking Change, kein Bugfix', true],
  ['Kein Bugfix, sondern ein Breaking Change', true],
  ['The breaking change cannot be avoided', true],
  ['This ADR introduces several breaking changes', true],
  ['Breaking changes: the config file is renamed', true],
  ['to avoid breaking changes', false],
  ['Breaking Changes werden vermieden', false],
  ['would be a breaking change', false],
  ['Breaking changes must be announced', false],
  ['A breaking change should get a new version', false],
  ['the code is checked for breaking changes', false],
  ['breaking change detection', false],
  ['For instance, v2 came with a breaking change', false],
  ['Rejected because of a breaking change', false],
  ['This reduces complexity but is a breaking change for all clients.', true],
  ['This reduces complexity and is a breaking change', true],
  ['This avoids copies but introduces a breaking change', true],
  ['It is avoided if this compiles but is a breaking change', false],
  ['This reduces cost and breaking changes', false],
  ['No doubt this is a breaking change.', true],
  ['Without any doubt a breaking change', true],
  ['Ohne Zweifel ein Breaking Change', true],
  ['Clients that do not upgrade will see a breaking change.', true],
  ['Clients who do not upgrade in time will see a breaking change', true],
  ['A field that does not cause a breaking change', false],
  ['Clients that upgrade will not see a breaking change', false],
  ['Clients that do not upgrade will see no breaking change', false],
  ['Clients cannot ignore this breaking change.', true],
  ['We do not think this is a breaking change', false],
  ['Should a breaking change become necessary, a new ADR is written.', false],
  ['Should we ever need a breaking change, a new ADR is written.', false],
  ['Sollte ein Breaking Change nötig werden, folgt ein ADR', false],
  ['It is v2 (should be a breaking change)', true],
  ['See for example v2. This is a breaking change', true],
])('"%s" announces one: %s', (text, announced) => {
  const [wanted, lower] = [phrase('breaking change'), text.toLowerCase()];
  const match = findPhrase(lower, wanted, 0);
  if (match === undefined) throw new Error('not found');
  expect(!isNegated(lower, match) && !isHypothetical(lower, match, wanted)).toBe(announced);
});
