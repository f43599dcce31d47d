/** An ADR that the free checks let pass, with one of its three acceptance criteria. */
export function orderDecision(criterion: string): string {
  return `---
adr_id: "001"
title: Orders are kept in SQLite
status: Proposed
date: 2026-03-01
component_type: MISC
classification: UPDATE
change_scope: minor
files:
  create: [src/orders.mjs]
  modify: []
  docs: [readme.md]
depends_on: []
related_to: []
---

# ADR-001: Orders are kept in SQLite

## Context

Orders are lost whenever the shop is restarted, because they live in memory only. Customers ask where they are.

## Decision

We keep orders in one SQLite file beside the shop. PostgreSQL was considered and needs a server nobody wants to run.

## Implementation

\`src/orders.mjs\` opens the file, writes each order in one transaction and reads all of them at the start.

## Documentation

The readme says where the file lies and how it is copied.

## Acceptance criteria

- [ ] An order written before a restart is there after it
${criterion}
- [ ] The readme names the path of the file

## Consequences

Restarts lose nothing. Two shops cannot share one file, which nobody needs today.
`;
}
