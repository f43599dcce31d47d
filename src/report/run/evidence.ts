import type { ReadCriterion } from '../../domain/documents/check-criteria.ts';
import type { EvidenceDocument } from '../../domain/documents/evidence-document.ts';
import { type RunState, resultOf, runStatus } from '../../domain/facts/run-state.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import { present } from '../../domain/present.ts';
import type { Tests, Verdict } from '../../domain/verdict.ts';
import { excerpt } from '../../text/sanitise.ts';
import { traceOf } from '../proof/trace.ts';
import { verdictsNow } from '../proof/verdicts-now.ts';
import { overridesOf } from '../words/overrides.ts';
import { judgesOf, partsOf } from './evidence-parts.ts';
import { ownCommand } from './gate-name.ts';
import { uncheckedOf } from './unchecked.ts';

const MAX_REQUEST = 2000;

/** final/evidence.json: what shows that a run made what was asked for, from its facts alone; `criteria` are those of its specification. */
export function evidenceDocument(state: RunState, criteria: readonly ReadCriterion[] = []): EvidenceDocument {
  const { run, plan, simulated, request } = state;
  const result = resultOf(state);
  const phases = [...state.phases.values()].flatMap((phase): Judged[] => {
    const verdicts = verdictsNow(phase);
    return verdicts.length === 0 ? [] : [{ id: phase.id, verdicts }];
  });
  const gatesOf = new Map(plan.phases.map(({ id, gates }) => [id, gates]));
  const shown = phases.flatMap((phase) => phase.verdicts.flatMap(({ reproduced }) => reproduced?.tests ?? []));
  const known = {
    schema: 'helix.evidence/1' as const,
    ...{ run, project: plan.project.name, status: runStatus(state, false), simulated },
    ...present({ request: request === undefined ? undefined : excerpt(request, MAX_REQUEST), result }),
    parts: partsOf(state, criteria),
    ...(criteria.length > 0 && { criteria: traceOf(state, criteria) }),
    tests: phases.flatMap((phase) => testsOf(phase, { gates: gatesOf.get(phase.id) ?? [], shown, tried: state.tried })),
    reproduced: phases.flatMap((phase) => seenIn(phase, phases)),
    probes: phases.flatMap(({ id, verdicts }) =>
      verdicts.flatMap(({ probe }) => (probe === undefined ? [] : [{ phase: id, ...probe }])),
    ),
    gates: phases.flatMap(({ id, verdicts }) =>
      verdicts.map(({ gate, outcome, findings }, index) => ({
        ...{ phase: id, gate, outcome, ...present({ command: ownCommand(gatesOf.get(id)?.[index]) }) },
        warnings: findings.filter(({ severity }) => severity === 'warning').length,
      })),
    ),
    judges: judgesOf(state),
    overrides: overridesOf(state),
    journal: { seq: state.seq, hash: state.head },
  };
  return { ...known, unchecked: uncheckedOf(state, known) };
}

/** A phase that gates had a say about, and what they said. */
type Judged = { readonly id: string; readonly verdicts: readonly Verdict[] };

type Tested = Pick<RunState, 'tried'> & { readonly gates: readonly Gate[]; readonly shown: readonly string[] };

/** What tests came to where they were to pass. */
function testsOf({ id, verdicts }: Judged, { gates, shown, tried }: Tested): EvidenceDocument['tests'] {
  return verdicts.flatMap(({ tests: after, reproduced }, index) => {
    if (after === undefined || reproduced !== undefined) return [];
    const { type, settings } = gates[index] ?? {};
    const command = JSON.stringify([type, settings?.command ?? 'detected']);
    const before = tried.find((each) => each.command === command)?.tests;
    const failed = new Set(after.failed);
    const gone = [...new Set([...(before?.failed ?? []), ...shown])].filter((name) => !failed.has(name));
    const seen = new Set(after.passed);
    const mended = gone.filter((name) => seen.has(name));
    const lost = gone.filter((name) => !seen.has(name));
    const unseen = lost.length === 0 ? undefined : lost;
    const added = before === undefined ? undefined : ran(after) - ran(before);
    return [{ phase: id, after, mended, ...present({ unseen, before, added }) }];
  });
}

function seenIn({ id, verdicts }: Judged, phases: readonly Judged[]): EvidenceDocument['reproduced'] {
  return verdicts.flatMap(({ reproduced, said: red = '' }) => {
    if (reproduced === undefined) return [];
    const greens = phases.flatMap((phase) =>
      phase.verdicts.flatMap(({ reproduced: again, said, outcome }) =>
        again === undefined && said !== undefined && outcome === 'pass' ? [{ phase: phase.id, said }] : [],
      ),
    );
    return [{ phase: id, ...reproduced, red, ...present({ green: greens.at(-1) }) }];
  });
}

/** How many tests of a count were run. */
function ran({ total, skipped = 0 }: Pick<Tests, 'total' | 'skipped'>): number {
  return Math.max(0, total - skipped);
}
