import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAdr } from '../../document/parse-adr.ts';
import { checkRules } from '../check-rules.ts';
import { loadRules } from './load-rules.ts';
import { shippedRules } from './shipped-rules.ts';

const PATH = 'config/adr-completeness-rules.yaml';
const FILE = readFileSync(PATH, 'utf8');
/** As HELIX reads its own rules, and as it reads them where a project copied them. */
const SETS = [shippedRules(FILE, PATH), loadRules(FILE, PATH).rules];

function reports(check: string, text: string): boolean[] {
  return SETS.map((set) => {
    if (set === undefined) throw new Error('the shipped rules do not load');
    const { findings } = checkRules(parseAdr(text, 'adr.md'), set, { profile: 'helix' });
    return findings.some((finding) => finding.check === check);
  });
}

it.each([
  'Das Format ist nicht mehr abwärtskompatibel.',
  'Die Schnittstelle ist nicht mehr rückwärtskompatibel.',
  'Die Schnittstelle ist nicht abwärtskompatibel.',
  'The API is no longer backwards compatible.',
  'The API will no longer be backward-compatible.',
  'This breaks backward compatibility.',
  'We break backwards compatibility with v1.',
  "La nouvelle API n'est pas rétrocompatible.",
  'La nouvelle API n’est plus rétrocompatible.',
  'C’est un changement non rétrocompatible.',
])('an upgrade guide is asked for: %s', (text) => {
  expect(reports('breaking-needs-upgrade', `# T\n\n## Decision\n\n${text}\n`)).toEqual([true, true]);
});

it.each([
  'Das Format ist abwärtskompatibel.',
  'Das Format bleibt weiter abwärtskompatibel, nicht mehr und nicht weniger.',
  'The API is backwards compatible.',
  'This does not break backward compatibility.',
  'It is done without breaking backwards compatibility.',
  'Removing it would break backward compatibility.',
  'To not break backward compatibility the field stays.',
  'If it is no longer backwards compatible, a new ADR is written.',
  'La nouvelle API est rétrocompatible.',
  'La nouvelle API est plus rétrocompatible que l’ancienne.',
  'Breaking Changes werden nicht eingeführt.',
  '- Breaking change: ❌',
])('no upgrade guide is asked for: %s', (text) => {
  expect(reports('breaking-needs-upgrade', `# T\n\n## Decision\n\n${text}\n`)).toEqual([false, false]);
});

it.each([
  ['Wenn es nicht geht, rollen wir zurück.', false],
  ['Nach einem Fehler rollen wir nach Plan zurück.', false],
  ['Bei Fehlern rollt das Team binnen zehn Minuten\nauf die alte Version zurück.', false],
  ['Rollback is not only possible but tested.', false],
  ['Auch bei Fehlern rollen wir nicht zurück.', true],
  ['Wir rollen auf keinen Fall zurück.', true],
  ['Wir rollen aus. Niemand blickt zurück.', true],
  ['Rollback is not possible but wanted.', true],
])('a rollback is asked for after "%s": %s', (text, asked) => {
  const major = `---\nchange_scope: major\n---\n\n# T\n\n## Decision\n\n${text}\n`;
  expect(reports('major-needs-rollback', major)).toEqual([asked, asked]);
});
