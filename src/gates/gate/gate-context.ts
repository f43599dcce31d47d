import type { ApprovalRequest, Approver, Interrupted } from '../../approval/approver.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { PlanGrowth } from '../../domain/plan-growth.ts';
import type { Probe, Reproduction, Tests, Verdict } from '../../domain/verdict.ts';
import type { Confinement, Processes } from '../../ports/processes.ts';
import type { Project } from '../../ports/project.ts';
import type { Tree } from '../../ports/tree.ts';
import type { Checkout } from '../../ports/workspace.ts';
import type { World } from '../../ports/world.ts';

/** The files there are around what is judged, by their paths. */
export type ProjectFiles = {
  /** What the project had before the work began. */
  readonly before: readonly string[];
  /** What was made since. */
  readonly since: readonly string[];
};

/** What a gate may look at and use. */
export type GateContext = {
  readonly phase: Phase;
  readonly attempt: number;
  readonly tree: Tree;
  /** The tree the phase's first attempt started from. */
  readonly base: Tree;
  /** The tree with which the change began that judges see whole, where that is not `base`. */
  readonly began?: Tree;
  /** The tree of the attempt before, if one was judged. */
  readonly former?: Tree;
  /** The project's own directory. */
  readonly project: string;
  /** Where a program given by a relative path is looked for: in the judged copy of a repository, else in the project. */
  readonly programsIn: 'copy' | 'project';
  readonly env: Readonly<Record<string, string>>;
  /** Folders of the copy with programs that set-up installed; they come first in PATH. */
  readonly binaries?: readonly string[];
  readonly marker: string;
  readonly processes: Processes;
  /** The walls around what a gate runs in a directory; `network` is what its settings ask for, if they say anything. */
  readonly walls: (dir: string, network: boolean | undefined) => Confinement | undefined;
  readonly signal: AbortSignal;
  /** A scratch copy of the judged tree, made on first use. */
  readonly directory: () => Promise<string>;
  /** Another copy of the judged tree, in which files have other contents or are gone; whoever asks disposes of it. Absent where there is none. */
  readonly variant?: (changes: ReadonlyMap<string, Buffer | undefined>) => Promise<Checkout>;
  /** The tree whose settings of test runners hold, and which files phases declare to write; absent where there is no such tree. */
  readonly settings?: { readonly origin: Tree; readonly declared: (path: string) => boolean };
  /** A file the attempt was given, by the path it has where it comes from or where it lies. */
  readonly input: (path: string, limit: number) => Promise<Buffer | undefined>;
  /** The files of the project before the run began, and those made since; undefined where there are too many to tell. */
  readonly projectFiles?: () => Promise<ProjectFiles | undefined>;
  /** The text of a file in the user's own directory of what is worked on, where no agent writes. */
  readonly projectFile: Project['read'];
  /** The text of a file beside the plan as it was before the phase began, else as its owner has it. */
  readonly settingsFile: Project['read'];
  /** The text of a file in the folder `config` that HELIX ships. */
  readonly shippedConfig: World['shippedConfig'];
  /** The files with which earlier phases of the run showed a bug, in the order of their paths. */
  readonly reproduced?: readonly string[];
  /** The tree in which the last of them did. */
  readonly shown?: Tree;
  /** The names of tests that failed earlier in the run: those that show a bug, and those that failed on the untouched tree. */
  readonly failedEarlier?: { readonly shown: readonly string[]; readonly before: readonly string[] };
  /** What the same command counted when it last passed or, before that, on the untouched tree. */
  readonly before?: Tests;
  /** What the plan would be with what the phase wrote; absent where there is no run whose plan could grow. */
  readonly grown?: () => Promise<{ readonly findings: readonly Finding[]; readonly growth?: PlanGrowth | undefined }>;
  /** The way to independent judges; absent where nobody may be asked. */
  readonly approver?: Approver;
};

/** What a gate knows of its subject before anything is checked or asked; `inputs` are the paths at which a judge sees what was given. */
export type AskingContext = Pick<
  GateContext,
  'phase' | 'tree' | 'base' | 'began' | 'input' | 'projectFile' | 'reproduced'
> &
  Pick<Approver, 'inputs'>;

/** What a gate asks a judge; what the free checks find is added when they are made. */
export type ToAsk = Omit<ApprovalRequest, 'found'>;

/** A gate's answer: an opinion, or why none could be formed. */
export type GateAnswer =
  | {
      readonly kind: 'judged';
      readonly outcome: Verdict['outcome'];
      readonly findings: readonly Finding[];
      readonly tests?: Tests | undefined;
      readonly probe?: Probe | undefined;
      /** The bug a failing test shows. */
      readonly reproduced?: Reproduction | undefined;
      /** The last words of the test command. */
      readonly said?: string | undefined;
      /** Files whose change a human has to see although the gate passes. */
      readonly asks?: readonly string[] | undefined;
      /** The judge would let it pass but is not sure, so a human is asked. */
      readonly unsure?: boolean | undefined;
      /** What a plan that was written would make of that of the run. */
      readonly growth?: PlanGrowth | undefined;
    }
  | Interrupted;
