import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { SHIPPED_TEMPLATES } from '../../adapters/world.ts';
import type { Budget } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { oneLine } from '../../text/sanitise.ts';

const LONGEST_NAME = 60;

/** What the plan of one task is made of. */
export type Parts = {
  /** The repository's name. */
  readonly name: string;
  /** What is to be done, in a line. */
  readonly title: string;
  /** A bug is shown by a test before it is mended. */
  readonly type: 'feature' | 'bugfix';
  /** A meeting cuts it into phases first. */
  readonly planned?: boolean;
  readonly workspace: {
    readonly setup: readonly (readonly string[])[];
    readonly copy: readonly string[];
    readonly cache: readonly string[];
  };
  readonly tests: string | readonly string[] | undefined;
  /** How long the owner lets them run, and whether they may use the network. */
  readonly howTested?: { readonly timeout?: number; readonly network?: boolean };
  /** Commands the user wants to pass as well. */
  readonly checks: readonly string[];
  readonly judge: boolean;
  readonly budget?: Budget;
  readonly protected: readonly string[];
};

type Gate = {
  readonly type: string;
  readonly command?: string | readonly string[];
  readonly expect?: 'red';
  readonly checks?: readonly string[];
};
type Gated = { readonly quality_gate?: readonly Gate[] };
type Generating = { readonly phase_template: Gated };
type Template = { readonly phases: readonly (Gated & { readonly id: string; readonly phase_config?: Generating })[] };

/** The phases.yaml of one task, as text: what a file would hold, so that it is read and checked like any other plan. */
export function composePlan(parts: Parts): string {
  const { name, title, type, planned, workspace, budget } = parts;
  // Never a project's own template: the user is asked about programs, not about what agents are told.
  const file = planned === true ? 'plan.yaml' : type === 'bugfix' ? 'bugfix.yaml' : 'change.yaml';
  const template = parse(readFileSync(join(SHIPPED_TEMPLATES, 'do', file), 'utf8')) as Template;
  const plan = {
    project: { name, type },
    workspace: { mode: 'repo', ...workspace },
    ...present({ budget }),
    protected: parts.protected,
    phases: template.phases.map(({ phase_config: generating, ...phase }) => ({
      ...gated(phase, parts),
      name: oneLine(title, LONGEST_NAME),
      ...(generating !== undefined && { phase_config: generated(generating, parts) }),
    })),
  };
  return stringify(plan, { aliasDuplicateObjects: false });
}

/** What the user wants to pass as well has to pass in the end, and not after each part. */
function generated({ phase_template, ...rest }: Generating, parts: Parts) {
  return { ...rest, phase_template: gated(phase_template, { ...parts, checks: [] }) };
}

function gated<T extends Gated>(phase: T, parts: Parts): T {
  const { quality_gate: gates } = phase;
  return gates === undefined ? phase : { ...phase, quality_gate: gates.flatMap((gate) => gatesFor(gate, parts)) };
}

function gatesFor(gate: Gate, { tests, howTested, checks, judge }: Parts): Gate[] {
  if (gate.type === 'approval') return judge ? [gate] : [];
  if (gate.type !== 'tests_pass') return [gate];
  if (gate.expect === 'red') return tests === undefined ? [] : [{ ...gate, ...howTested, command: tests }];
  const own = checks.map((command) => ({ type: 'custom', command, checks: [oneLine(command, 100)] }));
  return [...(tests === undefined ? [] : [{ ...gate, ...howTested, command: tests }]), ...own];
}
