import type { Expert } from '../../domain/kinds/experts-file.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { FileFindings } from '../../text/yaml/file-findings.ts';
import type { Mode } from '../build/build-plan.ts';
import type { Ancestry } from '../build/order.ts';
import type { PhaseDraft, PlanHeader } from '../build/parse-phases.ts';
import type { ProjectFiles } from '../read/project-files.ts';

/** A phase with what its author wrote, for the places of findings. */
export type CheckedPhase = { readonly draft: PhaseDraft; readonly phase: Phase };

/** A plan under check: what was read, what HELIX made of it, and where to report. */
export type PlanCheck = {
  readonly header: PlanHeader;
  readonly phases: readonly CheckedPhase[];
  readonly ancestry: Ancestry;
  readonly mode: Mode;
  /** The directory that is worked on. */
  readonly files: ProjectFiles;
  /** The directory the plan and what belongs to it lie in. */
  readonly own: ProjectFiles;
  readonly findings: FileFindings;
  /** Whom its phases can ask; undefined where none of them does. */
  readonly experts?: readonly Expert[] | undefined;
};
