import type { CriteriaAnswer } from '../../domain/facts/meeting.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { planFileOf } from '../../domain/growing/growing-phase.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { growsPlan } from '../../domain/plan-growth.ts';
import type { Tree } from '../../ports/tree.ts';
import { isRecord } from '../../text/is-record.ts';
import { oneLine } from '../../text/sanitise.ts';
import { parseYaml } from '../../text/yaml/yaml.ts';

const LIMIT = 256 * 1024;
const MOST_PHASES = 200;
const JUDGES: ReadonlySet<unknown> = new Set(['review', 'approval']);

/** A phase that is to follow a meeting, as far as whoever says by what work is judged has to know it. */
type PlannedPhase = {
  readonly id: string;
  readonly type: string;
  /** Somebody in it holds the work against the specification. */
  readonly judged: boolean;
};

type Around = { readonly tree: Pick<Tree, 'read'>; readonly state: Pick<RunState, 'plan'> };

/** What follows a meeting; `open` says that the plan it is to write has no phases yet, so that there may be others. */
export type Planned = { readonly phases: readonly PlannedPhase[]; readonly open: boolean };

/** The phases after a meeting: those it wrote itself or, where it writes none, those of the plan. */
export async function plannedPhases(phase: Phase, { tree, state }: Around): Promise<Planned> {
  const written = growsPlan(phase) ? await tree.read(planFileOf(phase), LIMIT) : undefined;
  const own = written === undefined ? [] : writtenPhases(written.toString('utf8'), planFileOf(phase));
  if (own.length > 0) return { phases: own.filter(({ id }) => id !== phase.id), open: false };
  const after = state.plan.phases.slice(state.plan.phases.findIndex(({ id }) => id === phase.id) + 1);
  const phases = after.map(({ id, type, gates }) => ({
    ...{ id, type },
    judged: JUDGES.has(type) || gates.some((gate) => gate.type === 'approval' || gate.type === 'verification'),
  }));
  return { phases, open: growsPlan(phase) };
}

/** Another gate says what is wrong with the file; what can be read of it is enough here. */
function writtenPhases(text: string, path: string): PlannedPhase[] {
  const { value } = parseYaml(text, path);
  const phases = isRecord(value) && Array.isArray(value.phases) ? value.phases : [];
  return phases
    .filter(isRecord)
    .slice(0, MOST_PHASES)
    .map(({ id, type, verify_agent, quality_gate }) => ({
      id: oneLine(String(id ?? ''), 64),
      type: oneLine(String(type ?? ''), 40),
      judged: JUDGES.has(type) || verify_agent === true || [quality_gate].flat().some(isApproval),
    }));
}

function isApproval(gate: unknown): boolean {
  return isRecord(gate) && gate.type === 'approval';
}

type Answer = {
  readonly criteria: CriteriaAnswer['criteria'];
  readonly gates: NonNullable<CriteriaAnswer['quality_gates']>;
};

/** Gates for phases and criteria there are not, and criteria that no phase owns although others are owned. */
export function ownerFaults({ criteria, gates }: Answer, { phases: planned, open: isOpen }: Planned): string[] {
  const ids = new Set(criteria.map(({ id }) => id));
  const phases = new Set(planned.map(({ id }) => id));
  const named = new Set(gates.flatMap((gate) => gate.criteria ?? []));
  const unknown = gates.flatMap((gate) => [
    ...(gate.phase && !isOpen && !phases.has(gate.phase)
      ? [
          `the gate ${gate.id} is for the phase ${JSON.stringify(gate.phase)}, and there is none of that name after this one.`,
        ]
      : []),
    ...(gate.criteria ?? [])
      .filter((id) => OWN_ID.test(id) && !ids.has(id))
      .map((id) => `the gate ${gate.id} names ${id}, which is no criterion.`),
  ]);
  if (named.size === 0 || planned.some(({ judged }) => judged)) return unknown;
  const unowned = [...ids].filter((id) => !named.has(id));
  const hint = 'Name it under `criteria` of a gate of the phase that has to meet it.';
  return [...unknown, ...unowned.map((id) => `no phase owns ${id}. ${hint}`)];
}

const OWN_ID = /^C[1-9]\d{0,2}$/;
