import type { AgentSettings, HelixFile } from '../domain/plan/helix-file.ts';
import type { Catalogue } from '../domain/plan/models.ts';
import type { Sandbox } from '../domain/plan/sandbox.ts';
import type { Redactor } from '../domain/plan/secret.ts';
import type { Agent } from './agent.ts';
import type { Cache } from './cache.ts';
import type { Clock } from './clock.ts';
import type { Files } from './files.ts';
import type { Journal } from './journal.ts';
import type { Notifier } from './notifier.ts';
import type { Processes } from './processes.ts';
import type { Project } from './project.ts';
import type { Trust } from './trust.ts';
import type { Workspace, WorkspaceScope } from './workspace.ts';

/** The whole outside world of one project, opened piece by piece as it is needed. */
export interface World {
  readonly project: Project;
  readonly clock: Clock;
  /** The environment that gates and agents may see. */
  readonly env: Readonly<Record<string, string>>;
  processes(): Promise<Processes>;
  /** The absolute path of a program, looked up in PATH; undefined when there is none. */
  findProgram(name: string): Promise<string | undefined>;
  /** Tells whether the project has a journal, without making one. */
  hasJournal(): boolean;
  journal(): Promise<Journal>;
  files(run: string): Promise<Files>;
  trust(): Promise<Trust>;
  notifier(): Promise<Notifier>;
  /** The secrets there are, with those that these agents are handed: none of them gets into what HELIX writes. */
  secrets(agents: readonly AgentSettings[]): Redactor;
  workspace(scope: WorkspaceScope): Promise<Workspace>;
  /** The best sandbox of this machine that `wanted` allows; throws HelixError `config` where `strict` is wanted and does not work. */
  sandbox(wanted: NonNullable<HelixFile['sandbox']>, limits?: HelixFile['limits']): Promise<Sandbox>;
  /** What models are called and what they cost; throws HelixError `config` for a file with errors. */
  models(): Promise<Catalogue>;
  /** An agent by its settings; throws HelixError `config`. */
  agent(settings: AgentSettings): Promise<Agent>;
  /** A template by its name below `templates/`, the project's own before HELIX's. */
  template(name: string): Promise<string | undefined>;
  /** The text of a file in the folder `config` that HELIX ships. */
  shippedConfig(name: string): string;
  /** The files of an approval type that HELIX ships, by their path below `approvals/<type>/`; undefined when it ships none. */
  shippedApproval(type: string): ReadonlyMap<string, string> | undefined;
  /** The text of a file that HELIX ships in its folder `templates`. */
  shippedTemplate(name: string): string;
  /** The paths of the texts for agents that HELIX ships, below its folder `templates`. */
  shippedTemplates(): readonly string[];
  /** The skills that HELIX ships, by their names. */
  shippedSkills(): ReadonlyMap<string, string>;
  /** What is remembered of approvals. */
  cache(): Promise<Cache>;
  /** A new, empty directory outside the project for a judge to work in. */
  neutralDirectory(): Promise<{ dir: string; dispose(): Promise<void> }>;
  newApprovalId(): string;
  /** The project types there is a template for. */
  projectTypes(): Promise<readonly string[]>;
  newRunId(): string;
  /** The beginning of every marker in this project. */
  readonly marker: string;
  /** By it the processes of one run are known. */
  newMarker(): string;
  /** Who acts: the name of the user at the keyboard. */
  readonly actor: string;
  readonly version: string;
  close(): void;
}
