import type { PlanDocument } from '../../domain/documents/documents.ts';
import type { Growth } from '../../domain/facts/grown-plan.ts';
import type { Finding } from '../../domain/finding.ts';
import { present } from '../../domain/present.ts';
import { growthsOf } from '../words/growth-words.ts';

/** A plan as far as it could be read: what `helix plan` shows even where the plan is wrong. */
export type PlanView = {
  readonly project: string;
  readonly phases: readonly PhaseView[];
  readonly findings: readonly Finding[];
  /** What never reaches the result branch, in words. */
  readonly offBranch?: string;
  /** Of a run: how its plan has grown. */
  readonly growths?: readonly Growth[];
};

/** What is shown of a phase before anything has run. */
export type PhaseView = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly dependsOn: readonly string[];
  readonly gates: readonly string[];
  /** Its tests are probed by breaking what it changed. */
  readonly probed?: boolean;
  /** A test that it adds has to fail. */
  readonly reproduces?: boolean;
  readonly agent?: string;
  readonly model?: string;
  /** What follows when it fails. */
  readonly ladder?: string;
  /** What `auto` in its settings is now, and why. */
  readonly auto?: readonly { readonly setting: string; readonly name?: string; readonly reason: string }[];
};

/** `helix plan --format json`. */
export function planDocument({ project, phases, findings, growths }: PlanView): PlanDocument {
  return {
    schema: 'helix.plan/1',
    project,
    phases: phases.map(({ id, name, type, dependsOn, gates, probed, reproduces, agent, model, ladder, auto }) => ({
      id,
      name,
      type,
      dependsOn: [...dependsOn],
      gates: [...gates],
      ...present({ probed, reproduces, agent, model, ladder }),
      ...(auto !== undefined && { auto: [...auto] }),
    })),
    findings: [...findings],
    ...(growths !== undefined && { growths: growthsOf({ growths }) }),
  };
}
