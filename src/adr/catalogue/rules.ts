import type { CheckDescription } from '../../domain/documents/adr-documents.ts';

/** Layer 2: the rules HELIX ships; each applies only where its context calls for it. */
export const RULE_CHECKS: Readonly<Record<string, Omit<CheckDescription, 'check' | 'layer'>>> = {
  'major-needs-migration': {
    severity: 'error',
    summary: 'A major change has no plan for the migration.',
    why: 'A plan of fourteen days once vanished between concept and ADR, and nobody noticed. A checklist among the acceptance criteria is no plan.',
    mend: 'Add a section about the migration with its steps, and an acceptance criterion about it.',
    bad: 'change_scope: major\n\n## Acceptance criteria\n\n### Migration\n\n- [ ] Migrated',
    good: 'change_scope: major\n\n## Migration\n\nStep 1 (two days): write to both stores. Step 2 (one week): read from the new one.',
  },
  'major-needs-rollback': {
    severity: 'warning',
    summary: 'A major change does not say how to go back.',
    why: 'When it fails at night, the plan must exist already. "No rollback is planned" is not one.',
    mend: 'Say how the change is rolled back, or what makes that impossible and what is done instead.',
    bad: 'A rollback is not planned.',
    good: 'Rollback: switch reads back to the old store, which is written to for four more weeks.',
  },
  'new-needs-examples': {
    severity: 'warning',
    summary: 'Something new is introduced without an example.',
    why: 'An example shows what a page of prose leaves open.',
    mend: 'Add a block of code that shows how it is used.',
    bad: 'classification: NEW\n\nOrders get a store of their own.',
    good: 'classification: NEW\n\n```sh\norders store --id 7\n```',
  },
  'breaking-needs-upgrade': {
    severity: 'error',
    summary: 'A breaking change does not say what users have to do.',
    why: 'Whoever upgrades finds out by breaking. "No breaking change" does not trigger this rule.',
    mend: 'Say what was, what is, and how to get from one to the other.',
    bad: 'This is a breaking change of the API.',
    good: 'This is a breaking change of the API.\n\n## Upgrade guide\n\nBefore: `GET /orders`. After: `GET /v2/orders`.',
  },
  'deps-need-references': {
    severity: 'warning',
    summary: 'An ADR in `depends_on` is not named in the text.',
    why: 'A dependency nobody explains is not understood, and is not noticed when it changes.',
    mend: 'Name each one by its id where it matters, and say why.',
    bad: 'depends_on: ["003"]\n\nOrders are stored first.',
    good: 'depends_on: ["003"]\n\nOrders are stored first, in the database of ADR-003.',
  },
  'tools-need-cli': {
    severity: 'warning',
    summary: 'A tool is described without the command that calls it.',
    why: 'A command line is an interface; changing it later breaks scripts.',
    mend: 'Show the call, with its options.',
    bad: 'component_type: TOOL\n\nIt replays orders.',
    good: 'component_type: TOOL\n\n```sh\norders replay --since 2026-01-31\n```',
  },
  'service-needs-api': {
    severity: 'warning',
    summary: 'A service is described without its interface.',
    why: 'Others build on the interface before the service exists.',
    mend: 'Name the endpoints or messages, and what goes in and out.',
    bad: 'component_type: SERVICE\n\nIt keeps orders.',
    good: 'component_type: SERVICE\n\nAPI: `POST /orders` stores one, `GET /orders/{id}` returns it.',
  },
};
