import { expect, it } from 'vitest';
import { findPhrase, phrase } from './phrase.ts';

it.each([
  ['Schritt', 'Schritte Schritten Schritts', 3],
  ['alt', 'alte alten altes alter Inhalt Gehalt Altbau', 4],
  ['neu', 'neue neuer neues neutral neun', 3],
  ['API', 'API APIs REST-API Kapital my_api_x', 3],
  ['GET', 'Budget', 0],
  ['CLI', 'Click Client', 0],
  ['Tag', 'Tage Vertrag', 1],
  ['Phase', 'Phasen Phase', 2],
  ['policy', 'policies', 1],
  ['inkompatibel', 'inkompatible inkompatibel', 2],
  ['migration', 'Migrations-Plan Migrationsplan Migrationen', 3],
  ['Übergang', 'Übergang xÜbergang', 1],
  ['zurückrollen', 'zurückrollen Zurückrollens', 2],
  ['python -m', 'python   -m x', 1],
  ['--help', '`tool --help`', 1],
  ['breaking change', 'breaking-change **Breaking** changes _breaking change_ breaking\nchange', 4],
  ['breaking change', 'breaking\n\nchange breaking, change', 0],
])('"%s" is found in "%s" %i times', (words, text, times) => {
  const [wanted, lower] = [phrase(words), text.toLowerCase()];
  let found = 0;
  for (let match = findPhrase(lower, wanted, 0); match !== undefined; match = findPhrase(lower, wanted, match.end))
    found += 1;
  expect(found).toBe(times);
});

it('finds a keyword at either end of a compound', () => {
  const keyword = phrase('migration', 'keyword');
  expect(findPhrase('die datenmigration', keyword, 0)).toEqual({ start: 4, end: 18 });
  expect(findPhrase('immigration', keyword, 0)).toBeUndefined();
});
