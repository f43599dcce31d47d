import { resolve } from 'node:path';
import { openProject } from '../../adapters/disk/project-directory.ts';
import { openJudgingWorld } from '../../adapters/judging-world.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { present } from '../../domain/present.ts';
import { type FailureClass, failurePolicy } from '../../domain/verdict.ts';
import {
  type ApprovalWatcher,
  type Approved,
  isApproved,
  approve as judge,
  requireType,
} from '../../engine/approve/approve.ts';
import { judgedInputs, pathIn } from '../../engine/approve/judged-inputs.ts';
import type { Wanted } from '../../engine/approve/prepare-question.ts';
import type { JudgingWorld } from '../../ports/judging-world.ts';
import type { PinnedProject } from '../../ports/pinned-project.ts';
import type { Project } from '../../ports/project.ts';
import { renderTime } from '../../report/words/time.ts';
import { sanitise } from '../../text/sanitise.ts';
import { type Call, type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { judgingPlace } from '../call/nearest-project.ts';
import { stoppable } from '../call/stop-signal.ts';
import { approvalFormat } from './formats.ts';
import { ignoredEdits, ignoredText } from './ignored-edits.ts';
import { judgeChoice } from './judge-choice.ts';
import { openJudgeProgress } from './judge-progress.ts';
import { takenDifference } from './taken-difference.ts';
import { tellSettings } from './tell-settings.ts';

/** `helix approve` */
export const approve: Command = {
  usage:
    'approve <type> <files…|--diff BASE> [--concept F] [--agent A] [--model M] [--format text|json|sarif] [--no-cache]',
  about: `One independent approval, outside any run and on any repository: free checks first, then a fresh agent that judges a
pinned copy of the files against the checks of approvals/<type>/ and has to quote what it goes by; HELIX looks the quotes
up and computes the verdict. Types that HELIX ships: adr, code, docs, architecture, security, compliance, migration,
verification. helix approve mark <id> false-positive|missed records what a verdict turned out to be. What it goes by (approvals/, config/approvals.yaml, helix.yaml, AGENTS.md) is read as it was before the work:
from BASE, else from the last commit; only a new type may lie there uncommitted. Everything is kept in .helix/approvals/.
Exits 0 approved, 1 not approved, 2 before any agent starts, or when the agent cannot be used (login, billing, set-up),
4 budget spent, 5 no verdict, try again, 130 stopped.`,
  positionals: { min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    diff: { type: 'string', value: 'BASE', help: 'what changed since a commit, branch or tag, instead of named files' },
    concept: {
      type: 'string',
      value: 'FILE',
      help: 'the concept an ADR was written from: compared with it, and judged by',
    },
    agent: { type: 'string', value: 'A', help: 'who judges: an agent of helix.yaml, claude-code, codex or scripted' },
    model: { type: 'string', value: 'M', help: 'the model that judges' },
    script: { type: 'string', value: 'FILE', help: 'what a scripted agent says' },
    format: { type: 'string', value: 'F', help: 'text (default), json or sarif' },
    cache: { type: 'boolean', help: '--no-cache: ask, even if the same was asked before' },
    trust: { type: 'boolean', help: 'trust what helix.yaml wants to start, and remember it' },
    dir: {
      type: 'string',
      short: 'C',
      value: 'DIR',
      help: 'the project (default: the nearest one at or above this directory, else the repository)',
    },
    json: JSON_OPTION,
  },
  examples: [
    'helix approve adr docs/adr/0007-use-postgres.md --concept docs/concepts/storage.md',
    'helix approve code --diff origin/main --format sarif > approval.sarif',
    'helix approve security src/login.ts src/session.ts --model opus',
    'helix approve mark 1f2e3d4c5b6a7988 false-positive --note "the value is a constant"',
  ],
  run: async (call) => {
    const format = approvalFormat(call);
    const [type = ''] = call.positionals;
    requireType(type);
    const world = openJudgingWorldOf(call);
    const wanted = { type, ...wantedOf(call, world.project.dir) };
    const about = { world, choice: judgeChoice(call), noCache: call.choice('cache') === false };
    const watcher = watcherOf(call, world, wanted);
    return stoppable((stop) =>
      judge(wanted, { ...about, stop, watcher }, async (approved) => {
        const { path } = approved;
        if (approved.kind === 'interrupted') return notMade(approved, call);
        const { result, question } = approved;
        call.terminal.out(await format(result, { call, question, kept: path }));
        return isApproved(result) ? EXIT.passed : EXIT.failed;
      }),
    );
  },
};

function openJudgingWorldOf(call: Call): JudgingWorld {
  const script = call.text('script');
  const project = openProject(call.text('dir') ?? judgingPlace(process.cwd()));
  return openJudgingWorld(project, script === undefined ? {} : { script: resolve(script) });
}

function watcherOf(call: Call, { project }: JudgingWorld, wanted: Wanted): ApprovalWatcher {
  const { terminal } = call;
  return {
    onPinned: async (pinned) => {
      tellUncommitted(pinned, wanted.type, call);
      await tellTaken(pinned, { project, wanted, call });
    },
    onSettings: (found) => tellSettings(found, terminal),
    openProgress: (about) => openJudgeProgress(terminal, about),
    onCutShort: (why) => terminal.err(`the judge was cut short (${why}); another one is asked\n`),
  };
}

function wantedOf(call: Call, project: string): Omit<Wanted, 'type'> {
  const [, ...named] = call.positionals;
  const diff = call.text('diff');
  if (named.length === 0 && diff === undefined) {
    throw new HelixError('usage', 'there is nothing to approve', {
      hint: `Name the files to be judged, or --diff BASE. Usage: helix ${approve.usage}`,
    });
  }
  const from = call.text('dir') === undefined ? process.cwd() : project;
  const concept = call.text('concept');
  const model = call.text('model');
  return {
    files: judgedInputs(named, project, from),
    ...present({ diff }),
    ...(concept !== undefined && { concept: pathIn(project, concept, from) }),
    ...present({ model }),
  };
}

const UNCOMMITTED = {
  everything: () => 'nothing is committed here: what judges go by is used as it lies there',
  definition: (type: string) => `approvals/${type}/ is not committed: it is used as it lies there`,
};

function tellUncommitted({ uncommitted }: PinnedProject, type: string, { terminal }: Call): void {
  if (uncommitted === undefined) return;
  terminal.err(`${terminal.paint('dim', UNCOMMITTED[uncommitted](type))}\n`);
}

type Taking = { readonly project: Project; readonly wanted: Wanted; readonly call: Call };

/** What is taken to be judged, and what is not, before anybody is asked and paid for it. */
async function tellTaken(pinned: PinnedProject, { project, wanted: { type, diff }, call }: Taking): Promise<void> {
  const { difference, before, base } = pinned;
  const { terminal } = call;
  const dim = (text: string) => terminal.err(`${terminal.paint('dim', text)}\n`);
  if (difference !== undefined && diff !== undefined) {
    const canvas = { width: terminal.columns(), paint: terminal.paint };
    terminal.err(takenDifference(difference, { since: diff, base }, canvas));
  }
  const edited = await ignoredEdits({ type, project, before });
  if (edited.length > 0) dim(ignoredText(edited, diff === undefined ? 'the last commit' : 'the base commit'));
}

const ADVICE: Partial<Record<FailureClass, string>> = {
  auth: 'Log the agent in; helix doctor shows how it would be let in.',
  billing: 'See to the account of the agent, or choose another one with --agent.',
  model_unavailable: 'Choose another model with --model, or set fallback_model in config/approvals.yaml.',
  spawn: 'See what is there: helix doctor',
  budget: 'Allow more: budget of the type in config/approvals.yaml, or budget.usd in helix.yaml.',
  context_too_long: 'Have fewer files judged at once.',
  timeout_wall: 'Allow more time: timeout of the type in config/approvals.yaml.',
};

/** Whoever asks again without changing anything is cut short again. */
const UNUSABLE: ReadonlySet<FailureClass> = new Set(['auth', 'billing', 'setup', 'spawn']);

function notMade(
  { failure, message, until, path }: Extract<Approved, { kind: 'interrupted' }>,
  { terminal }: Call,
): number {
  if (failurePolicy(failure) === 'free') {
    terminal.err('stopped; no verdict was given\n');
    return EXIT.interrupted;
  }
  const when = until === undefined ? 'later' : `after ${renderTime(until)}`;
  const hint = ADVICE[failure] ?? `Try again ${when}.`;
  terminal.err(`${terminal.paint('bad', 'no verdict was given:')} ${failure}: ${sanitise(message)}\n`);
  terminal.err(`${terminal.paint('dim', `${hint} What is known of it lies in ${path}`)}\n`);
  if (failure === 'budget') return EXIT.budget;
  return UNUSABLE.has(failure) ? EXIT.usage : EXIT.parked;
}
