import { expect, test } from 'vitest';
import { makePlace } from '../src/cli/helix.fixture.ts';
import { put } from './scratch.ts';

const CONCEPT = `# Orders in one place

## Storage

Orders are kept in one PostgreSQL database instead of three files that two programs write at once every night.

## Rollback

Until the first week is over the flag \`orders_in_files\` returns to the files within 10 minutes.

## Risks

| risk | answer |
|---|---|
| the disk of the database fills up | an alarm at 80 % |
| the nightly import takes longer than 2 hours | it is cut into batches of 500 |
`;

const PLAN = `project: { name: adr, description: Keep orders in one place }
workspace: phase-dirs
phases:
  - id: concept
    type: consultant
    input: [docs/concept.md]
    output: [output/ADR-007-orders.md]
    quality_gate: { type: adr_complete, file: output/ADR-*.md, concept: docs/concept.md, semantic: false }
  - id: judge
    type: approval
    approval_type: adr
    input: [output/ADR-007-orders.md]
  - id: valid
    type: documentation
    output: [output/record.md]
    quality_gate: { type: adr_valid }
`;

test('the scripted agent writes ADRs that pass layers 1 to 3 and says in them that they are simulated', async () => {
  const place = makePlace();
  put(place.dir, { 'phases.yaml': PLAN, 'docs/concept.md': CONCEPT });
  const { code, err } = await place.helix(['run', '--agent', 'scripted', '--trust', '--no-wait']);
  expect(code, err).toBe(0);
  expect(err).not.toMatch(/warning|error/);
  const adr = place.read('phases/concept/output/ADR-007-orders.md');
  expect(adr).toMatch(/^---\nadr_id: "007"\ntitle: "Simulated: /);
  expect(adr).toContain('batches of 500');
  for (const part of adr
    .split(/^## /m)
    .slice(1)
    .filter((each) => !each.startsWith('Acceptance'))) {
    expect(part).toContain('Simulated by the scripted agent: phase concept.');
  }
  const diff = await place.helix(['adr', 'diff-concept', 'docs/concept.md', 'phases/concept/output/ADR-007-orders.md']);
  expect(diff).toMatchObject({ code: 0, out: expect.stringContaining('carries on 100 %') });
  expect(place.read('phases/valid/output/record.md')).toContain('## Decision');
});
