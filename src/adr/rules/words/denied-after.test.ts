import { expect, it } from 'vitest';
import { isHypothetical } from './hypothesis.ts';
import { isNegated } from './negation.ts';
import { phrase, phraseMatches } from './phrase.ts';

function says(words: string, text: string): boolean {
  const [wanted, lower] = [phrase(words), text.toLowerCase()];
  const matches = [...phraseMatches(lower, wanted)];
  if (matches.length === 0) throw new Error(`"${words}" is not in "${text}"`);
  return matches.some((match) => !isNegated(lower, match) && !isHypothetical(lower, match, wanted));
}

it.each([
  'Breaking Changes werden nicht eingeführt.',
  'Breaking Changes werden dabei nicht verursacht.',
  'Breaking Changes werden mit dieser Version nicht eingeführt.',
  'Breaking Changes werden durch die Änderung nicht ausgelöst.',
  'Breaking Changes wurden nicht vorgenommen.',
  'Breaking Changes werden wir nicht einführen.',
  'Breaking Changes werden nicht entstehen.',
  'Breaking changes treten nicht auf.',
  'Breaking Changes treten in dieser Version nicht auf.',
  'Breaking Changes entstehen dadurch nicht.',
  'Breaking Changes entstehen durch diese Änderung nicht.',
  'Breaking Changes entstehen damit nicht.',
  'Breaking Changes entstehen für bestehende Aufrufer nicht.',
  'Breaking Changes ergeben sich daraus nicht.',
  'Breaking Changes kommen nicht vor.',
  'Breaking Changes fallen nicht an.',
  'Die API bleibt unverändert, ein Breaking Change liegt nicht vor.',
  'Ein Breaking Change liegt damit nicht vor.',
  'Ein Breaking Change der Schnittstelle liegt hier nicht vor, weil sie neu ist.',
  'Ein Breaking Change ist das nicht.',
  'Ein Breaking Change ist diese Änderung nicht.',
  'Ein Breaking Change ist die neue Version für Nutzer nicht.',
  'Ein Breaking Change ist damit nicht verbunden.',
  'Einen Breaking Change stellt das nicht dar.',
  'Einen Breaking Change bedeutet die Umstellung nicht.',
  'Einen Breaking Change zieht das nicht nach sich.',
  'Um einen Breaking Change handelt es sich nicht.',
  'Mit Breaking Changes ist nicht zu rechnen.',
  'Mit Breaking Changes rechnen wir nicht.',
  'Breaking Changes erwarten wir nicht.',
  'Breaking Changes führen wir nicht ein.',
  'Breaking Changes nehmen wir hier nicht vor.',
  'Breaking Changes enthält dieses Release nicht.',
  'Breaking Changes bringt das Update nicht mit sich.',
  'Es ist so gebaut, dass Breaking Changes nicht auftreten.',
  'Die Felder bleiben, so dass ein Breaking Change nicht vorliegt.',
  'Breaking changes do not occur.',
  'Breaking changes do not arise.',
  'Breaking changes do not exist.',
  'A breaking change does not happen here.',
  "Breaking changes don't occur with this release.",
  'Breaking changes will not arise.',
  'Breaking changes never occur.',
  'Breaking changes are not caused by this change.',
  'Breaking changes have not been added.',
  '- Breaking change: ❌',
  '- Breaking change: ❌ (the API stays)',
  '- **Breaking change:** ✗',
  'Breaking change: ✖️',
  '| Breaking change | ❌ |',
  '| Breaking change | ❌ No |',
  '| Breaking change | – |',
  '| Breaking changes | keine |',
  '| Breaking changes | 0 |',
  'Breaking change: –',
  'Breaking changes → none',
  'Breaking changes = none',
  'Breaking changes: (none)',
  'Breaking changes: none known',
  'Breaking changes: none – the API stays as it is',
  'Breaking changes: keine (die API bleibt)',
  'Breaking Change: nein',
  'breaking change: false',
  'Breaking changes: out of scope',
])('announces no breaking change: %s', (text) => {
  expect(says('breaking change', text)).toBe(false);
});

it.each([
  'Breaking Changes werden eingeführt.',
  'Breaking Changes werden nicht angekündigt.',
  'Breaking Changes werden nicht nur eingeführt, sondern auch erklärt.',
  'Breaking Changes treten auf.',
  'Breaking Changes treten nicht nur bei Clients auf.',
  'Breaking Changes entstehen nicht, wenn der Client zuerst umgestellt wird.',
  'Breaking Changes entstehen für Clients und lassen sich nicht verbergen.',
  'Breaking Changes entstehen bei Clients, die nicht umgestellt werden.',
  'Breaking Changes entstehen durch die Umbenennung.',
  'Ein Breaking Change liegt vor, ein Fehler ist das nicht.',
  'Ein Breaking Change liegt vor. Das ist nicht schlimm.',
  'Ein Breaking Change ist das.',
  'Ein Breaking Change ist das nicht nur für Clients.',
  'Der Breaking Change stört die Nutzer nicht.',
  'Der Breaking Change betrifft diese Version nicht allein.',
  'Der Breaking Change verursacht den Ausfall nicht.',
  'Dieser Breaking Change lässt sich nicht vermeiden.',
  'Breaking changes do occur.',
  'The breaking change does not occur on Fridays.',
  'Breaking changes do not occur unless the flag is set, so it is one.',
  'The breaking changes do not result in data loss.',
  'This breaking change does not only happen here.',
  '- Breaking change: ✅',
  '- Breaking change: ❌ all clients must be rebuilt',
  '- ❌ Breaking change for all clients',
  '| Breaking change | ✔ |',
  '| Breaking change | yes |',
  '| Breaking change | x |',
  'Breaking change: yes – none of the old fields stay',
  'Breaking changes: 0.5 is the last version with the old fields',
  'Breaking changes:\n- (v2) the field is gone',
  'Breaking change: no field keeps its name',
])('announces a breaking change: %s', (text) => {
  expect(says('breaking change', text)).toBe(true);
});

it.each([
  'Rollback is not only possible but tested.',
  'Rollback is not just planned but rehearsed.',
  "A rollback isn't merely possible, it is tested.",
  'Ein Rollback ist nicht nur möglich, sondern erprobt.',
  'Un rollback n’est pas seulement possible, il est testé.',
  'A zero-downtime rollback is possible.',
  'A zero downtime rollback is possible.',
  'Rollback: no downtime expected, one switch.',
  'Der Rollback enthält die neuen Tabellen nicht.',
  'Der Rollback löst das Problem nicht.',
  'Der Rollback bringt die Daten nicht durcheinander.',
  'Der Rollback tritt nicht automatisch in Kraft.',
  'Rollback: 0.5 h',
])('has a rollback: %s', (text) => {
  expect(says('rollback', text)).toBe(true);
});

it.each([
  'Rollback is not possible.',
  'Rollback is not possible, only a fix is.',
  'Ein Rollback ist nicht möglich.',
  'Es gibt nicht nur Vorteile, denn ein Rollback ist nicht möglich.',
  'Ein Plan für den Rollback liegt noch nicht vor.',
  'Einen Rollback führen wir nicht durch.',
  'No zero-downtime rollback is planned.',
  'There is no downtime, but no rollback.',
  'It is done without downtime or rollback.',
  'A no-rollback policy',
])('has no rollback: %s', (text) => {
  expect(says('rollback', text)).toBe(false);
});
