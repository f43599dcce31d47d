import { describe, expect, it } from 'vitest';
import { parseAdr } from '../../document/parse-adr.ts';
import { checkConcept } from '../check-concept.ts';
import { diffConcept } from '../diff-concept.ts';

const HEADER = '---\nadr_id: "007"\nstatus: Proposed\n---\n\n# ADR-007: Billing\n';
const MOVE = 'We move billing to the cluster.';
const PLAN = 'Day 1 copy the ledger, day 2 verify sums, day 3 switch readers.';
const BACK = 'Switch the flag back within 15 minutes.';

function check(concept: string, adr: string) {
  const read = parseAdr(adr, 'adr.md');
  const diff = diffConcept(parseAdr(concept, 'concept.md'), read);
  const findings = checkConcept(diff, read);
  return { ...diff, findings, errors: findings.filter(({ severity }) => severity === 'error') };
}

function lost(concept: string, adr: string): string[] {
  return check(concept, adr).errors.map(({ check: id, message }) => `${id} ${/^"[^"]*"/.exec(message)?.[0]}`);
}

describe('sections of the highest level', () => {
  const adr = `${HEADER}\n## Context\n\n${MOVE}\n`;

  it('are what must be delivered as those below are, whether there is a title or not', () => {
    const plans = `# Migration plan\n\n${PLAN}\n\n# Rollback\n\n${BACK}\n`;
    const errors = ['concept-lost "Migration plan"', 'concept-lost "Rollback"'];
    expect(lost(`# Concept: billing\n\n# Overview\n\n${MOVE}\n\n${plans}`, adr)).toEqual(errors);
    expect(lost(plans, adr)).toEqual(errors);
    expect(lost(`# Migration plan\n\n${PLAN}\n`, adr)).toEqual(['concept-lost "Migration plan"']);
  });

  it('are found in an ADR that has such sections, too', () => {
    const plans = `# Migration plan\n\n${PLAN}\n\n# Rollback\n\n${BACK}\n`;
    expect(check(plans, plans).findings).toEqual([]);
    expect(check(`# Concept\n\n${plans.replaceAll('# ', '## ')}`, plans).findings).toEqual([]);
  });

  it('do not make the title an obligation or an exemption', () => {
    const concept = `# Overview\n\n## Storage\n\nOrders live in one table per tenant, compacted by a nightly job.\n`;
    expect(check(concept, adr).missing).toMatchObject([{ title: 'Storage', obligation: null }]);
    expect(check(concept.replace('Overview', 'Migration'), adr).missing).toMatchObject([{ obligation: null }]);
  });
});

describe('the text above the first section', () => {
  const idea = 'Invoices are booked by one ledger service, and auditors read balances from a projection.';
  const adr = `${HEADER}\n## Decision\n\nWe paint the harbour green and sell ice cream to sailors at night.\n`;

  it('is compared like a section that has the name of the title', () => {
    const { missing, coveragePercent } = check(`# One ledger\n\n${idea}\n`, adr);
    expect(missing).toMatchObject([{ title: 'One ledger', line: 3, column: 1, obligation: null }]);
    expect(coveragePercent).toBe(0);
    expect(check(`# One ledger\n\n${idea}\n`, `${HEADER}\n## Decision\n\n${idea}\n`).coveragePercent).toBe(100);
  });

  it('is called the beginning in a file without headings', () => {
    expect(check(`${idea}\n`, adr).missing).toMatchObject([{ title: 'the beginning', line: 1 }]);
  });

  it('must be delivered where it says so: by a label, a list under one, or a sentence that tells when', () => {
    const texts = [
      `- ${idea}\n- Rollback: ${BACK}\n`,
      `${idea} Rollback: ${BACK}\n`,
      `${idea}\n\n**Rollback plan**: ${BACK}\n`,
      `${idea}\n\nRollback:\n\n1. Switch the flag back\n2. Restart all readers\n`,
      `${idea}\n\nWe roll back by switching the flag within 15 minutes.\n`,
    ];
    for (const text of texts)
      for (const title of ['# One ledger\n\n', '']) {
        const { missing } = check(`${title}${text}`, `${adr}\n${idea}\n`);
        expect(missing, text).toMatchObject([{ obligation: 'rollback' }]);
        expect(check(`${title}${text}`, `${adr}\n${idea}\n\n## Rollback\n\n${BACK} Restart readers.\n`).errors).toEqual(
          [],
        );
      }
  });

  it('is no obligation where it only mentions one', () => {
    expect(lost(`# One ledger\n\n${idea} The migration is told in another paper.\n`, adr)).toEqual([]);
  });

  it('is not what a document says of itself', () => {
    const header = `**Author:** Jane Smith from the payments team\n**Linked issue**: ledgers for everybody\n\n- [Migration plan](#plan)\n`;
    const concept = `# One ledger\n\n${header}\n> Note: requirements only, decisions stand in records\n\n## Idea\n\n${idea}\n`;
    expect(check(concept, `${adr}\n${idea}\n`)).toMatchObject({ missing: [], coveragePercent: 100 });
  });

  it('can be waived without waiving the sections below the title', () => {
    const concept = `# One ledger\n\n${idea}\n\n## Rollback\n\n${BACK}\n`;
    const waived = adr.replace('status', 'concept_waivers: [{section: One ledger, reason: known}]\nstatus');
    expect(check(concept, waived)).toMatchObject({
      missing: [{ title: 'Rollback' }],
      waived: [{ title: 'One ledger' }],
    });
    const nameless = adr.replace('status', 'concept_waivers: [{section: the beginning, reason: known}]\nstatus');
    expect(check(`${idea}\n`, nameless)).toMatchObject({ findings: [], waived: [{ title: 'the beginning' }] });
  });
});

describe('a concept with nothing to compare', () => {
  it('is an error, since finding nothing lost would look like a pass', () => {
    for (const concept of ['', '# Concept\n', '# Concept\n\n## Rollback\n\nTBD\n']) {
      const { errors, coveragePercent } = check(concept, HEADER);
      expect(coveragePercent).toBe(0);
      expect(errors).toMatchObject([
        { check: 'concept-missing', message: 'the concept concept.md has no text that could be compared' },
      ]);
    }
  });

  it('is not one that has only a summary or a few words: these are compared', () => {
    const concept = `# C\n\n## Overview\n\nOrders live in one table per tenant, compacted by a nightly job.\n`;
    expect(check(concept, HEADER)).toMatchObject({ missing: [{ title: 'Overview' }], errors: [] });
    expect(check('# C\n\nWe ship.\n', HEADER)).toMatchObject({ missing: [{ title: 'C' }], errors: [] });
    expect(check('# C\n\nWe ship.\n', `${HEADER}\nWe ship.\n`).findings).toEqual([]);
  });
});

describe('few words', () => {
  it('are enough for what must be delivered, unless they say that there is nothing', () => {
    const concept = (text: string) => `# C\n\n## Context\n\n${MOVE}\n\n## Security\n\n${text}\n`;
    const adr = `${HEADER}\n## Context\n\n${MOVE}\n`;
    expect(lost(concept('Use TLS 1.3 for all connections.'), adr)).toEqual(['concept-lost "Security"']);
    for (const text of ['No changes needed.', 'None expected here.', 'Keine Änderungen nötig.'])
      expect(lost(concept(text), adr)).toEqual([]);
  });
});
