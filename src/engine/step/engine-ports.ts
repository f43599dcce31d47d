import type { Conventions } from '../../brief/conventions.ts';
import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Sandbox } from '../../domain/plan/sandbox.ts';
import type { Redactor } from '../../domain/plan/secret.ts';
import type { GateDefinition } from '../../gates/gate/define-gate.ts';
import type { Agent } from '../../ports/agent.ts';
import type { Files } from '../../ports/files.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Processes } from '../../ports/processes.ts';
import type { SetUpStep, Workspace } from '../../ports/workspace.ts';
import type { World } from '../../ports/world.ts';
import type { ExaminedGrowth, WrittenPlan } from './examined-growth.ts';
import type { Recorder } from './recorder.ts';

/** What the loop uses of the world as it is. */
type Shared =
  | ('clock' | 'project' | 'env' | 'template' | 'shippedConfig' | 'shippedApproval' | 'shippedTemplate')
  | ('shippedSkills' | 'shippedTemplates')
  | ('cache' | 'neutralDirectory' | 'newApprovalId' | 'findProgram' | 'models');

/** Everything the loop touches the world with: the world itself, and what one run has opened of it. */
export type EnginePorts = Pick<World, Shared> & {
  readonly journal: Journal;
  readonly processes: Processes;
  readonly workspace: Workspace;
  readonly files: Files;
  /** An agent of the run's frozen settings, by name. */
  readonly agent: (name: string) => Promise<Agent>;
  /** What a model is called by its provider. */
  readonly modelId: (name: string) => Promise<string>;
  readonly gates: ReadonlyMap<string, GateDefinition>;
  /** What the project's owner wrote for agents, with the skills that are named in full. */
  readonly conventions: (skills: readonly string[]) => Promise<Conventions>;
  /** What the plan would be with what a phase wrote. */
  readonly grownPlan: (written: WrittenPlan) => Promise<ExaminedGrowth>;
  readonly secrets: Redactor;
  /** How well programs can be walled in here. */
  readonly sandbox: Sandbox;
};

/** A run as it stands, and what of the world one needs to look at it: its workspace, if nothing else. */
export type RunContext<Needed extends keyof EnginePorts = 'workspace'> = {
  readonly ports: Pick<EnginePorts, Needed>;
  readonly state: RunState;
};

/** What a step of a run is performed with. */
export type StepContext = {
  readonly ports: EnginePorts;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  readonly watchers: Watchers;
};

/** Who wants to hear about a run while it goes on. */
export type Watchers = {
  readonly onEvent?: (event: RunEvent, state: RunState) => void;
  readonly onText?: (phase: string, text: string) => void;
  /** What the phase's agent has spent so far, in dollars. */
  readonly onSpent?: (phase: string, usd: number) => void;
  readonly onGate?: (phase: string, gate: string) => void;
  /** The sandbox that was found for this run. */
  readonly onSandbox?: (sandbox: Sandbox) => void;
  /** Something the user should know that is no fact of the run. */
  readonly onNotice?: (text: string) => void;
  /** The directory of an attempt is being made ready; its agent is started after that. */
  readonly onPreparing?: (phase: string, attempt: number) => void;
  /** What the project needs is being installed, or copied from where it was. */
  readonly onSetUp?: (step: SetUpStep) => void;
  /** A gate's command is being tried on the untouched tree. */
  readonly onTrial?: (phase: string, gate: string) => void;
  /** The run is parked for a quota and will be taken up again after `delayMs`. */
  readonly onParked?: (message: string, delayMs: number) => void;
};
