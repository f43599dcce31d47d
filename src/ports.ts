import type { ZodType } from 'zod';
import type { Cost, InputFile, NewEvent, Owner, RunBase, RunEvent } from './domain/facts/run-event.ts';
import type { RequestState } from './domain/facts/run-state.ts';
import type { Finding } from './domain/finding.ts';
import type { ApprovalResult } from './domain/judge/approval.ts';
import type { NoticeDocument } from './domain/ladder/notice.ts';
import type { Role } from './domain/plan/driver.ts';
import type { AgentSettings, HelixFile } from './domain/plan/helix-file.ts';
import type { Catalogue } from './domain/plan/models.ts';
import type { NotifySettings } from './domain/plan/notify-settings.ts';
import type { Phase, Plan } from './domain/plan/plan.ts';
import type { Sandbox } from './domain/plan/sandbox.ts';
import type { Redactor } from './domain/plan/secret.ts';
import type { FailureClass, Tests, Verdict } from './domain/verdict.ts';

/** Time. Wall time is for people; limits count active time, in which a suspended machine does not age. */
export interface Clock {
  /** The wall clock as ISO 8601 in UTC. */
  now(): string;
  /** Milliseconds that only ever grow. */
  monotonic(): number;
  /** Lets timers, signals and what others have to say have their turn. */
  breathe(): Promise<void>;
  /** Resolves after `ms` of active time; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** What is known of a run without reading its events. */
export type RunRow = {
  readonly run: string;
  readonly project: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly status: 'open' | 'passed' | 'failed' | 'cancelled';
  readonly openRequests: number;
};

/** A question that nobody has answered yet, without its words. */
export type WaitingRow = {
  readonly run: string;
  readonly request: string;
  readonly phase: string;
  readonly askedAt: string;
  readonly deadline?: string;
  /** The option that is taken when the deadline has passed. */
  readonly onTimeout?: string;
  /** Its run tells people elsewhere of its questions. */
  readonly notify: boolean;
};

/** The right to write a run's facts. */
export interface Ownership {
  readonly fence: number;
  /** Gives the run back; never throws. */
  release(): void;
}

/**
 * The append-only list of a run's facts, durable before `append` resolves.
 * Throws HelixError: `conflict` (not the expected sequence number), `fenced` (somebody else owns the run by now),
 * `run_owned`, `not_found`, `journal` (damaged or foreign), `locked`, `disk_full`.
 */
export interface Journal {
  /** Opens a run with its first fact and makes the caller its owner. */
  create(run: string, first: NewEvent): Promise<{ ownership: Ownership; events: RunEvent[] }>;
  /** Makes the caller the only owner, or throws `run_owned` naming the one there is. */
  own(run: string, owner: Owner): Promise<Ownership>;
  /** Tells who owns the run right now, if anybody does. */
  owner(run: string): Promise<Owner | undefined>;
  /** Adds facts after `expectedSeq`. Without a fence only facts of EXTERNAL_EVENTS are taken. */
  append(run: string, at: { expectedSeq: number; fence?: number }, events: readonly NewEvent[]): Promise<RunEvent[]>;
  /** The facts after `afterSeq`, their hash chain verified. */
  read(run: string, afterSeq?: number): Promise<RunEvent[]>;
  /** The sequence number of the newest fact; cheap enough to poll. */
  headSeq(run: string): Promise<number>;
  /** All runs, newest first. */
  list(): Promise<RunRow[]>;
  /** The questions nobody has answered yet, over all runs, in no order; from an index that is kept with the facts. */
  waiting(): Promise<WaitingRow[]>;
  /** The same questions with their words, newest first, at most `limit` of them. */
  questions(limit?: number): Promise<{ readonly run: string; readonly request: RequestState }[]>;
  /** Forgets a run with all its facts; throws `run_owned` while somebody works on it, `conflict` while it has not ended. */
  remove(run: string): Promise<void>;
  close(): void;
}

/** How a process ended, and what of its output was kept. */
export type ProcessEnd = {
  readonly ended: 'exit' | 'signal' | 'timeout_wall' | 'timeout_idle' | 'output_limit' | 'aborted' | 'spawn';
  readonly exitCode?: number;
  readonly message: string;
  /** The last part of stdout and stderr together, bounded. */
  readonly tail: string;
  /** All of stdout where it is at most `keepStdoutBytes`, else nothing. */
  readonly stdout: string;
  readonly stdoutBytes: number;
  readonly durationMs: number;
};

/** The walls of the strict sandbox around one program. All it starts ends with it, and with HELIX. */
export type Confinement =
  /** It sees programs and their toolchains, `readable` and `writable`, and nothing else of its user's. */
  | {
      readonly kind: 'closed';
      readonly writable: readonly string[];
      readonly readable: readonly string[];
      readonly network: 'loopback' | 'open';
    }
  /** It sees and writes what its user does, but for the directories in `protect`, which it can only read. */
  | { readonly kind: 'open'; readonly protect: readonly string[]; readonly writable: readonly string[] };

/** What a program reads, line by line. */
export type ProcessInput = { readonly send: (line: string) => void; readonly end: () => void };

/** A program to run: argv without a shell, an explicit environment, limits on everything. */
export type ProcessSpec = {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Carried in the environment of the process and all it starts, so that every one of them can be found and ended. */
  readonly marker: string;
  readonly stdin?: string;
  /** Called once it has started, in place of `stdin`: its input then stays open until `end`. */
  readonly talk?: (input: ProcessInput) => void;
  /** Handed over on descriptor 3, so that it stands in no environment and no argument. */
  readonly secret?: string;
  readonly wallMs: number;
  readonly idleMs?: number;
  readonly outputBytes?: number;
  readonly lineBytes?: number;
  readonly keepStdoutBytes?: number;
  /** Its walls; without any it may do what its user may. */
  readonly confine?: Confinement;
  readonly signal?: AbortSignal;
  /** Called per line; a line longer than `lineBytes` arrives cut, with `truncated` set. */
  readonly onLine?: (line: string, stream: 'stdout' | 'stderr', truncated: boolean) => void;
};

/** Programs of the machine. Never throws for what a program does: that is its ProcessEnd. */
export interface Processes {
  /** Runs a program to its end and then ends whatever it left behind. */
  run(spec: ProcessSpec): Promise<ProcessEnd>;
  /** Starts a program and lets it go on after the caller's turn; it is found again by its marker. */
  leave(spec: Pick<ProcessSpec, 'argv' | 'cwd' | 'env' | 'marker'>): Promise<void>;
  /** Ends every process that carries the marker and resolves to how many there were. */
  endMarked(marker: string): Promise<number>;
  /** The argv of a program of HELIX's own, for work that must not hold up or break HELIX itself. */
  ownProgram(name: 'syntax'): readonly string[];
  /** Who this process is. */
  self(): Owner;
}

/** One file of a tree. */
export type TreeFile = {
  readonly path: string;
  /** Names the content: its sha256, or `git:` and the blob. Equal contents of one workspace have equal digests. */
  readonly digest: string;
  readonly size: number;
  readonly executable: boolean;
};

/** An immutable set of files, named by its content. */
export interface Tree {
  readonly id: string;
  readonly files: readonly TreeFile[];
  /** What could not be kept: special files, links that leave the directory, files over the limit. */
  readonly problems: readonly Finding[];
  /** The paths of links in it. */
  readonly linkPaths?: readonly string[];
  /** The content of a file, at most `limit` bytes of it; undefined when the tree has no such file. */
  read(path: string, limit: number): Promise<Buffer | undefined>;
}

/** What an attempt finds in its directory. */
export type AttemptContent = {
  readonly start: string | undefined;
  readonly inputs: readonly InputFile[];
  /** Paths that must come from this very attempt. */
  readonly omit: readonly string[];
  /** What of the run it builds on, in a repository. */
  readonly tip?: Tip;
  /** Aborted when nobody waits for it any more: set-up may take long. */
  readonly signal?: AbortSignal;
};

/** The newest accepted state of a run in a repository. */
export type Tip = { readonly commit?: string; readonly tree: string };

/** Two states of a repository that are to become one: what a phase made from `base`, and what the run has come to. */
export type Joined = { readonly tree: string; readonly base: string | undefined; readonly tip: string };

/** What a phase's acceptance consists of; `head` is the journal's chain at that moment. */
export type Acceptance = {
  readonly tree: string;
  readonly inputs: readonly InputFile[];
  readonly head: string;
  readonly tip?: Tip;
  /** Who let it pass although a gate rejects it, and why. */
  readonly override?: { readonly actor: string; readonly reason: string };
  readonly commits: RunCommits;
};

/** All commits a run has ever accepted, also those it went back over; read when they are needed. */
export type RunCommits = () => Promise<ReadonlySet<string>>;

/** What a human finds where their own change is asked for, for one question. */
export type OwnCopy = {
  /** The directory, an absolute path below `.helix`. */
  readonly dir: string;
  readonly request: string;
  /** Without one: what the project has for the phase. */
  readonly start: string | undefined;
  /** The commit it builds on, in a repository. */
  readonly base: string | undefined;
  readonly inputs: readonly InputFile[];
};

/** What a human has made of it; it starts from what was laid out for them, which may be older than what was asked for. */
export type OwnChange = {
  readonly start: string;
  readonly base?: string;
  readonly tree: Tree;
  readonly notices: readonly Finding[];
};

/** What walls leave of the file system to a program in a workspace. */
export type Bounds = {
  /** What a gate's command may write to, and what else of the user's it needs to read. */
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  /** What of the user's and of HELIX's an agent must not change. */
  readonly protect: readonly string[];
};

/** What a workspace is opened for. */
export type WorkspaceScope = {
  readonly run: string;
  readonly marker: string;
  readonly settings: Plan['workspace'];
  readonly simulated: boolean;
  /** Where the run started, once it has. */
  readonly base?: RunBase;
};

/**
 * Where attempts work. What a gate judged is a Tree, and exactly that Tree moves on.
 * Throws HelixError `io`, `setup` (a set-up command failed), `stopped` (by the signal) or `disk_full`.
 */
export interface Workspace {
  /** Where a new run starts, and what its user should know about that; no base where phases have directories of their own. */
  begin(includeDirty: boolean): Promise<{ base?: RunBase; notices: readonly string[] }>;
  /** Makes the phase's directory hold `start` (without one: what the project has there) less `omit`, and its inputs, nothing else. */
  prepare(phase: Phase, content: AttemptContent): Promise<{ dir: string; start: string; base?: string }>;
  /** Freezes what lies in the phase's directory, and says what it could not keep and what it had to put right. */
  capture(phase: Phase, start: string): Promise<{ tree: Tree; notices: readonly Finding[] }>;
  /** Ends an attempt whose work does not count; says what it had to put right. */
  abandon(phase: Phase, start: string): Promise<readonly Finding[]>;
  /** Freezes some of the project's own files, so that later attempts and gates see the same ones. */
  pin(paths: readonly string[]): Promise<Tree>;
  /** Opens a frozen tree; throws `journal` when it is gone. */
  tree(id: string): Promise<Tree>;
  /** A scratch copy of a tree with its phase's inputs for a command to run in; `dispose` removes it. */
  checkout(
    phase: Phase,
    tree: string,
    inputs: readonly InputFile[],
    signal?: AbortSignal,
  ): Promise<{ dir: string; dispose(): Promise<void> }>;
  /** Pins a tree with its phase's inputs for a judge. */
  snapshot(phase: Phase, tree: string, inputs: readonly InputFile[], signal?: AbortSignal): Promise<Snapshot>;
  /** The bounds of a program that works in one of its directories. */
  bounds(dir: string): Bounds;
  /** Looks after what is the user's while gates run what an agent wrote; the result puts right what can be, and says so. */
  watch(phase: Phase): Promise<() => Promise<readonly Finding[]>>;
  /** The paths that differ between two trees, relative to the project, `../` for what lies outside it. */
  changed(from: string, to: string): Promise<readonly string[]>;
  /** A tree with some files of HELIX's own put in or, where there is no text, taken out; its id. */
  edit(tree: string, changes: ReadonlyMap<string, string | undefined>): Promise<string>;
  /** The tree where the history of a revision and that of the run part; undefined when there is no such revision. */
  revision(name: string): Promise<string | undefined>;
  /** Merges what a phase made into what was accepted meanwhile. */
  join(sides: Joined): Promise<{ tree: string; conflicts: readonly Finding[] }>;
  /** Makes the tree the phase's result; a note says what could not be done as the user has it. */
  accept(phase: Phase, result: Acceptance): Promise<{ commit?: string; note?: string }>;
  /** Lets the run's branch go back to what counts; it stays where somebody else has moved it or works on it, and that throws `io`. */
  goBack(tip: Tip, commits: RunCommits): Promise<void>;
  /** Lays out what a human may change; what already lies there for the same question stays as it is. */
  offer(phase: Phase, copy: OwnCopy): Promise<void>;
  /** Freezes what a human has left there, with `files` written over it, and says what it could not keep; laid out first where it is gone. */
  takeOffered(phase: Phase, copy: OwnCopy & { readonly files: ReadonlyMap<string, string> }): Promise<OwnChange>;
  /** Removes what was laid out for a human, but not for the question `unless`; what they changed there and nobody took is kept, and its place is the answer. */
  withdraw(dir: string, about: { phase: Phase | undefined; unless?: string }): Promise<string | undefined>;
  /** Takes the workspace for one run and clears away what a crashed one left half done; throws `run_owned` while another run works in it. */
  take(): Promise<() => Promise<void>>;
}

/**
 * Content pinned for a judge: a copy of it outside the repository, which nobody else knows of, with the paths it has in the project.
 */
export interface Snapshot {
  /** Where the copy lies; its files can only be read. */
  readonly dir: string;
  /** All there is to see in it, by sha256. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  /** A file as it was pinned, at most `limit` bytes of it; undefined when there is none. */
  read(path: string, limit: number): Promise<Buffer | undefined>;
  /** The paths in the copy that are no longer what was pinned: changed, gone or new. */
  changed(): Promise<readonly string[]>;
  /** Removes the copy; never throws. */
  dispose(): Promise<void>;
}

/** What is known of questions asked before, kept for this user outside every project; nothing in it can be forged or be another's. */
export interface Cache {
  /** The text kept under a key; undefined when there is none, or when it is not what this user's HELIX wrote. */
  get(key: string): Promise<string | undefined>;
  put(key: string, text: string): Promise<void>;
}

/** The project as its owner left it, read in place and never through a link that leaves it. */
export interface Project {
  /** The real, absolute path of the project's directory. */
  readonly dir: string;
  /** The text of a regular file, undefined when there is none; throws HelixError `io` when it is larger than `limit` bytes, special or not UTF-8. */
  read(path: string, limit: number): Promise<string | undefined>;
  /**
   * The paths of the regular files a path or glob names, nothing of `.helix` and `.git`; a glob also leaves out links and
   * `node_modules`. Throws HelixError `io` for a path that leads out, and where there is too much to look through.
   */
  match(pattern: string): Promise<readonly string[]>;
  /** The links at or below a folder, none of them followed; the one that leads to it where the folder itself is reached by one. */
  links(folder: string): Promise<readonly string[]>;
  /** Tells whether the path is a directory of the project. */
  hasDirectory(path: string): Promise<boolean>;
  /** Tells whether the project lies inside a git repository; throws HelixError `config` where that is a bare one. */
  inGit(): Promise<boolean>;
}

/** What people read beside the journal: derived files, written whole or not at all. */
export interface Files {
  /** Writes a file of the run's directory atomically; throws HelixError `io` or `disk_full`. */
  write(path: string, content: string): Promise<void>;
  /** Opens a file of the run's directory for appending lines, emptied first. */
  lines(path: string): Promise<LineWriter>;
  /** The lines of such a file, none when there is no such file; throws HelixError `io`. */
  readLines(path: string): Promise<readonly string[]>;
  /** The text of such a file; undefined when there is none; throws HelixError `io` where it is larger than `limit` bytes, not UTF-8, special, or reached by a link. */
  read(path: string, limit: number): Promise<string | undefined>;
  /** When such a file was last written, in milliseconds since 1970; undefined when there is no such file; throws HelixError `io`. */
  changedAt(path: string): Promise<number | undefined>;
  /** Removes such a file, if it is there; throws HelixError `io`. */
  remove(path: string): Promise<void>;
  /** Packs a zip, atomically and piece by piece; links are left out, which the zip says; throws HelixError `io` or `disk_full`. */
  zip(path: string, parts: AsyncIterable<ZipPart>): Promise<void>;
}

/** What goes into a zip: the plain files of a folder of the run's directory, or bytes of its own under a name. */
export type ZipPart =
  | { readonly folder: string; readonly as: string }
  | { readonly name: string; readonly content: AsyncIterable<Buffer> };

/** A file that grows line by line, up to a limit. */
export interface LineWriter {
  line(text: string): void;
  /** Closes the file and resolves to the sha256 of what was written. */
  close(): Promise<string>;
}

/** Which plans the user has looked at and found harmless. */
export interface Trust {
  /** What was trusted last for a project, line by line; undefined when nothing was. */
  trusted(project: string): Promise<readonly string[] | undefined>;
  trust(project: string, lines: readonly string[]): Promise<void>;
}

/** A question as people are told of it. */
export type Notice = {
  readonly document: NoticeDocument;
  /** Nobody knows it before the notice is out, so that what carries it came after. */
  readonly mark: string;
};

/** A question that people were told of and, where it is settled by now, since when and by what as far as that is known. */
export type ToldNotice = Notice & {
  readonly settled?: { readonly at?: string; readonly by?: Omit<HeardAnswer, 'request'> };
  /** Why an answer cannot be taken; undefined when it can. */
  readonly refusal: (answer: HeardAnswer) => string | undefined;
};

/** A decision that came from afar. */
export type HeardAnswer = {
  readonly request: string;
  readonly option: string;
  readonly comment?: string;
  /** Where it came from and who gave it: `github:octocat`. */
  readonly actor: string;
};

/** The ways to people who are not at the keyboard. */
export interface Notifier {
  /**
   * Tells of a question; false when this process has nobody to tell that way, which is no failure.
   * Throws HelixError `io` with the reason when it could not be delivered.
   */
  tell(settings: NotifySettings, notice: Notice, signal: AbortSignal): Promise<boolean>;
  /**
   * The valid answers that have come to open questions, at most one each, and in words what looked like an answer and is none.
   * Throws HelixError `io` when that cannot be found out now.
   */
  hear(
    settings: NotifySettings,
    told: readonly ToldNotice[],
    signal: AbortSignal,
  ): Promise<{ readonly answers: readonly HeardAnswer[]; readonly ignored: readonly string[] }>;
}

type Asked = {
  readonly brief: string;
  /** Where it works: a creator in its workspace, a judge in a neutral, empty directory. */
  readonly dir: string;
  readonly model?: string;
  readonly marker: string;
  readonly wallMs: number;
  readonly idleMs?: number;
  /** What it may spend, in dollars; stopped as soon as more is known to be spent. */
  readonly spendUsd?: number;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  /** Everything the agent says: the raw line for the transcript and, where there is one, the text for people. */
  readonly onLine: (raw: string, text?: string) => void;
  /** What it is known or estimated to have spent so far, in dollars. */
  readonly onSpent?: (usd: number) => void;
};

/** What a creator is asked to do. */
export type CreatorTask = Asked & {
  readonly role: 'creator';
  readonly phase: Phase;
  readonly attempt: number;
  /** How many of its tries at this phase have ended by themselves. */
  readonly turn: number;
  /** What it was given, by content. */
  readonly inputs: readonly Pick<InputFile, 'path' | 'digest'>[];
  /** What its shell may not write to, whatever else it may do. */
  readonly protect: readonly string[];
  /** The domains its shell may reach. */
  readonly network: readonly string[];
};

/** What a judge is to judge. */
type JudgeSubject = {
  readonly type: string;
  readonly checks: readonly string[];
  /** Paths below the first readable directory. */
  readonly inputs: readonly string[];
};

/** What a judge is asked: always of a fresh process, which can read what it is given and do nothing else. */
export type JudgeTask = Asked & {
  readonly role: Exclude<Role, 'creator'>;
  /** What it is asked about, for agents that do not read: the type of approval, its checks, and what is judged. */
  readonly subject: JudgeSubject;
  /** How many judges of this role answered before it about the same: the move of a scripted one. */
  readonly turn: number;
  /** What it is, beside what it is asked. */
  readonly instructions: string;
  /** The directories it may read beside its own. */
  readonly readable: readonly string[];
  /** What its answer must look like; the driver asks for it and checks it again. */
  readonly answer: ZodType;
};

/** What an agent is asked. */
export type AgentTask = CreatorTask | JudgeTask;

/** Who worked, as far as the agent itself says. */
export type Worker = { readonly model?: string; readonly version?: string };

/** How an agent's turn ended. Only `done` leads to a judgement. */
export type AgentEnd =
  | (Worker & {
      readonly kind: 'done';
      readonly cost: Cost;
      /** A judge's answer, which fits the schema it was given. */
      readonly answer?: unknown;
      /** What it tried and was not allowed to do. */
      readonly denied?: readonly string[];
      /** What its user should know about the attempt. */
      readonly notices?: readonly Finding[];
    })
  | (Worker & {
      readonly kind: 'interrupted';
      readonly failure: FailureClass;
      readonly message: string;
      readonly cost?: Cost;
      readonly denied?: readonly string[];
      /** When it is worth another try, in ISO 8601. */
      readonly until?: string;
    });

/**
 * Somebody who can do a phase's work. Must not throw: whatever goes wrong is an interruption with a class. When `perform`
 * resolves, no process it started is left.
 */
export interface Agent {
  readonly driver: string;
  /** Of the program it is, where that is known before it is asked anything. */
  readonly version?: string;
  readonly simulated: boolean;
  perform(task: AgentTask): Promise<AgentEnd>;
  /** What the lines of a transcript that broke off say it has cost. */
  costOf?(transcript: readonly string[]): Cost;
}

/** What a gate may look at and use. */
export type GateContext = {
  readonly phase: Phase;
  readonly attempt: number;
  readonly tree: Tree;
  /** The tree the phase's first attempt started from. */
  readonly base: Tree;
  /** The project's own directory. */
  readonly project: string;
  /** Where a program given by a relative path is looked for: in the judged copy of a repository, else in the project. */
  readonly programsIn: 'copy' | 'project';
  readonly env: Readonly<Record<string, string>>;
  readonly marker: string;
  readonly processes: Processes;
  /** The walls around what a gate runs in a directory; `network` is what its settings ask for, if they say anything. */
  readonly walls: (dir: string, network: boolean | undefined) => Confinement | undefined;
  readonly signal: AbortSignal;
  /** A scratch copy of the judged tree, made on first use. */
  readonly directory: () => Promise<string>;
  /** A file the attempt was given, by the path it has where it comes from or where it lies. */
  readonly input: (path: string, limit: number) => Promise<Buffer | undefined>;
  /** The text of a file in the project's own directory, where no agent writes. */
  readonly projectFile: Project['read'];
  /** The text of a file in the folder `config` that HELIX ships. */
  readonly shippedConfig: World['shippedConfig'];
  /** What the same command counted when it last passed or, before that, on the untouched tree. */
  readonly before?: Tests;
  /** The way to independent judges; absent where nobody may be asked. */
  readonly approver?: Approver;
};

/** The way from a gate to independent judges. */
export interface Approver {
  ask(request: ApprovalRequest): Promise<ApprovalAnswer>;
  /** The approvals that the run's journal holds and nothing has made void, oldest first, and where copies of them were laid. */
  readonly given: readonly {
    readonly result: ApprovalResult;
    readonly outputs: readonly string[];
    /** A human let it pass where the judge was not sure. */
    readonly vouched?: boolean;
  }[];
  /** What the attempt was given: the paths its judge sees it at. */
  readonly inputs: readonly string[];
}

/** What a gate wants approved. */
export type ApprovalRequest = {
  readonly type: string;
  readonly role: 'reviewer' | 'verifier';
  /** Paths of the judged tree and of its inputs; where a pattern stands it has been resolved already. */
  readonly files: readonly string[];
  /** The revision the difference starts from, where it is not the tree the phase began with. */
  readonly diff?: string;
  /** What the gate itself says over config/approvals.yaml. */
  readonly checks?: readonly string[];
  readonly model?: string;
  readonly timeoutSeconds?: number;
  readonly requiredConfidence?: number;
  /** What the free checks found; an error among it ends the approval before a judge is asked. */
  readonly found: readonly Finding[];
  /** What the work must come to, in words, for a verifier. */
  readonly criteria?: readonly string[];
};

/** What became of asking for an approval. */
export type ApprovalAnswer = { readonly kind: 'answered'; readonly result: ApprovalResult } | Interrupted;

/** Why there is no opinion. */
type Interrupted = {
  readonly kind: 'interrupted';
  readonly failure: FailureClass;
  readonly message: string;
  /** It is not to be tried again by itself, whatever it was. */
  readonly final?: boolean | undefined;
};

/** A gate's answer: an opinion, or why none could be formed. */
export type GateAnswer =
  | {
      readonly kind: 'judged';
      readonly outcome: Verdict['outcome'];
      readonly findings: readonly Finding[];
      readonly tests?: Tests | undefined;
      /** The judge would let it pass but is not sure, so a human is asked. */
      readonly unsure?: boolean | undefined;
    }
  | Interrupted;

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
  sandbox(wanted: NonNullable<HelixFile['sandbox']>): Promise<Sandbox>;
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
