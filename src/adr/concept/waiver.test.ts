import { expect, it } from 'vitest';
import { readShippedConfig } from '../../adapters/disk/shipped-config.ts';
import { parseChecks } from '../checks.ts';
import { parseAdr } from '../document/parse-adr.ts';
import { checkConcept } from './check-concept.ts';
import { diffConcept } from './diff-concept.ts';

it('the example of a waiver waives the section of its example', () => {
  const checks = parseChecks(readShippedConfig('adr-checks.yaml').text);
  const { bad = '', good = '' } = checks.find(({ check }) => check === 'concept-lost') ?? {};
  const [, heading = ''] = /"(## .*)";/.exec(bad) ?? [];
  const concept = `# Concept\n\n${heading}\n\nAll reports are copied to the bucket and checked by hand.\n`;
  const decided = '# Storage\n\n## Decision\n\nFrom now on everything goes to another place.\n';
  const found = (text: string) => {
    const adr = parseAdr(text, 'adr.md');
    return checkConcept(diffConcept(parseAdr(concept, 'concept.md'), adr), adr).map(({ check }) => check);
  };
  expect(found(`---\nstatus: accepted\n---\n\n${decided}`)).toEqual(['concept-lost']);
  expect(found(`---\nstatus: accepted\n${good}\n---\n\n${decided}`)).toEqual([]);
});
