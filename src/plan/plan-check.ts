import type { Phase } from '../domain/plan/plan.ts';
import type { FileFindings } from '../text/yaml/file-findings.ts';
import type { Mode } from './build-plan.ts';
import type { Ancestry } from './order.ts';
import type { PhaseDraft, PlanHeader } from './parse-phases.ts';
import type { ProjectFiles } from './project-files.ts';

/** A phase with what its author wrote, for the places of findings. */
export type CheckedPhase = { readonly draft: PhaseDraft; readonly phase: Phase };

/** A plan under check: what was read, what HELIX made of it, and where to report. */
export type PlanCheck = {
  readonly header: PlanHeader;
  readonly phases: readonly CheckedPhase[];
  readonly ancestry: Ancestry;
  readonly mode: Mode;
  readonly files: ProjectFiles;
  readonly findings: FileFindings;
};
