import { relative } from 'node:path';
import type { DiffDocument } from '../../domain/documents/documents.ts';
import { acceptedSpans, attemptSpan, phaseSpan, type Span } from '../../domain/facts/spans.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { type ChangedFile, changedFiles } from '../../engine/difference/changed-files.ts';
import { scopeOf } from '../../engine/run.ts';
import { renderFile, renderPatchLines, renderStat } from '../../report/run/diff-text.ts';
import { renderJson } from '../../report/words/json.ts';
import { type Call, type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { phaseStateOf } from '../call/find-phase.ts';
import { type OpenRun, pickRun, readRun } from '../call/find-run.ts';
import { repositoryRoot } from '../call/nearest-project.ts';
import { DIR_OPTION, openWorldOf } from '../call/open-project.ts';
import { withVisit } from '../call/with-visit.ts';

const MAX_FILES = 20_000;

/** `helix diff` */
export const diff: Command = {
  usage: 'diff [run] [phase] [--attempt N] [--stat] [--json]',
  about: `What a run has changed and its gates have accepted so far; with a phase, what that phase has made, accepted or not.
It is printed as a patch that git apply takes. Files that are binary or larger than 1 MB are only named.
Without a run, the newest one is taken.`,
  positionals: { min: 0, max: 2 },
  options: {
    attempt: { type: 'string', value: 'N', help: 'what this attempt of the phase alone changed' },
    stat: { type: 'boolean', help: 'only the files, and how many lines were added and removed' },
    dir: DIR_OPTION,
    json: JSON_OPTION,
  },
  examples: [
    'helix diff',
    'helix diff 20261115-1a2b3c4d 02-write',
    'helix diff 20261115-1a2b3c4d 02-write --attempt 2 --stat',
    'helix diff > work.patch && git apply work.patch',
  ],
  run: async (call) => {
    const world = openWorldOf(call);
    const run = await readRun(world, await pickRun(world, call.positionals[0]));
    const spans = spansOf(call, run);
    if (spans.every(({ from, to }) => from === to)) sayNothing(call, run);
    await withVisit(world, { kind: 'diff', scope: scopeOf(run.state) }, async ({ workspace }) =>
      print(call, run, changedFiles(spans, { workspace, top: placeInRepository(world.project.dir, run.state.plan) })),
    );
    return EXIT.passed;
  },
};

/** What is worked on below the top of its git repository; empty at the top, and outside of any. */
function placeInRepository(dir: string, { workspace: { root } }: Plan): string {
  if (root !== undefined) return root === '.' ? '' : `${root}/`;
  const top = repositoryRoot(dir) ?? dir;
  return top === dir ? '' : `${relative(top, dir)}/`;
}

function spansOf(call: Call, { state, events }: OpenRun): Span[] {
  const [, phase] = call.positionals;
  const attempt = attemptOf(call);
  if (phase === undefined) {
    if (attempt === undefined) return acceptedSpans(state);
    throw new HelixError('usage', '--attempt needs a phase', { hint: `Usage: helix ${diff.usage}` });
  }
  const at = phaseStateOf(state, phase);
  const span = attempt === undefined ? phaseSpan(at, state) : attemptSpan(at, attempt, { state, events });
  if (span !== undefined) return [span];
  const what = attempt === undefined ? phase : `attempt ${attempt} of ${phase}`;
  throw new HelixError('not_found', `${what} in run ${state.run} has come to nothing yet`, {
    hint: `See what happened: helix logs ${state.run}`,
  });
}

function attemptOf(call: Call): number | undefined {
  const text = call.text('attempt');
  if (text === undefined || /^[1-9]\d{0,5}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new HelixError('usage', `--attempt takes a number such as 2, not ${JSON.stringify(text)}`);
}

function sayNothing(call: Call, { state }: OpenRun): void {
  const accepted = call.positionals[1] === undefined && state.order.length === 0;
  call.terminal.err(accepted ? `run ${state.run} has accepted nothing yet\n` : 'nothing was changed\n');
}

async function print(call: Call, { state }: OpenRun, files: AsyncGenerator<ChangedFile>): Promise<void> {
  const { terminal } = call;
  const counted: DiffDocument['files'] = [];
  const onlyNumbers = call.flag('stat') || call.flag('json');
  for await (const { patch, ...file } of files) {
    if (counted.length === MAX_FILES) {
      terminal.err(`there are more than ${MAX_FILES} files; the rest is left out\n`);
      break;
    }
    counted.push(file);
    if (!onlyNumbers) write(call, renderFile(file, patch));
    if (terminal.lost() !== undefined) return;
  }
  const [, phase] = call.positionals;
  if (call.flag('json')) {
    const about = { run: state.run, ...present({ phase }) };
    terminal.out(renderJson({ schema: 'helix.diff/1', ...about, files: counted } satisfies DiffDocument));
  } else if (call.flag('stat')) {
    terminal.out(renderStat(counted, { width: terminal.columns(), paint: terminal.paintOut }));
  } else if (!process.stdout.isTTY) sayLeftOut(call, counted);
}

/** Bytes as they are for a file or a program; a terminal gets only what is harmless. */
function write({ terminal }: Call, patch: Buffer): void {
  if (process.stdout.isTTY) terminal.out(renderPatchLines(patch.toString('utf8'), terminal.paintOut));
  else terminal.outBytes(patch);
}

function sayLeftOut({ terminal }: Call, files: DiffDocument['files']): void {
  const left = files.filter(({ only }) => only !== undefined).length;
  if (left > 0)
    terminal.err(`${left} of ${files.length} files are only named in the patch, so that it does not carry them\n`);
}
