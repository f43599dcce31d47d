import { isUtf8 } from 'node:buffer';
import { pinProject } from '../../adapters/repo/project-snapshot.ts';
import { type Accepted, planTrials, type TrialPlan } from '../../approval/calibration/plan-trials.ts';
import { runTrials, type TrialsRun } from '../../approval/calibration/run-trials.ts';
import { tallyTrials } from '../../approval/calibration/tally-trials.ts';
import { readAsked } from '../../approval/make-question.ts';
import type { Question } from '../../approval/question.ts';
import type { CalibrationDocument } from '../../domain/documents/calibration-document.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { present } from '../../domain/present.ts';
import { chooseJudge } from '../../engine/approve/choose-judge.ts';
import { judgedInputs } from '../../engine/approve/judged-inputs.ts';
import { ownSettings } from '../../engine/approve/own-settings.ts';
import { prepareQuestion } from '../../engine/approve/prepare-question.ts';
import { projectSource } from '../../engine/step/question-source.ts';
import type { PinnedProject } from '../../ports/pinned-project.ts';
import type { Snapshot } from '../../ports/tree.ts';
import type { World } from '../../ports/world.ts';
import { renderCalibration } from '../../report/approval/calibration-text.ts';
import { renderJson } from '../../report/words/json.ts';
import { type Call, type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { judgingPlace } from '../call/nearest-project.ts';
import { openWorldOf } from '../call/open-project.ts';
import { stoppable } from '../call/stop-signal.ts';
import { acceptedFiles } from './accepted-files.ts';
import { askTrial } from './ask-trial.ts';
import { judgeChoice } from './judge-choice.ts';
import { openJudgeProgress } from './judge-progress.ts';
import { loadDefects } from './load-defects.ts';
import { type Calibration, calibrationOf } from './options.ts';
import { tellSettings } from './tell-settings.ts';

const MAX_DOCUMENT = 512 * 1024;
const TARGETS = { falsePositive: 0.05, falseNegative: 0.01 };

/** `helix calibrate` */
export const calibrate: Command = {
  usage:
    'calibrate <type> [files…] [--trials N] [--seed S] [--budget USD] [--agent A] [--model M] [--format text|json]',
  about: `Measures judges: plants known defects in accepted files, one at a time, lets a fresh judge look at each planted version
and at as many clean ones, and reports by check and model how many defects were missed and how many clean versions raised
an alarm, with 95 % intervals. Without files it takes those whose newest approval was given and that have not changed
since. Defects are those HELIX ships for the type and those of approvals/<type>/defects.yaml. With a scripted judge
it shows that the statistics work, and nothing about any model. Exits 0 when something was measured.`,
  positionals: { min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    trials: { type: 'string', value: 'N', help: 'how many questions are asked, half of them clean (default 40)' },
    seed: {
      type: 'string',
      value: 'S',
      help: 'the same seed asks the same questions in the same order (default: any)',
    },
    budget: { type: 'string', value: 'USD', help: 'what all of it may cost (default 5)' },
    agent: { type: 'string', value: 'A', help: 'who judges: an agent of helix.yaml, claude-code, codex or scripted' },
    model: { type: 'string', value: 'M', help: 'the model that judges' },
    script: { type: 'string', value: 'FILE', help: 'what a scripted agent says' },
    format: { type: 'string', value: 'F', help: 'text (default) or json' },
    trust: { type: 'boolean', help: 'trust what helix.yaml wants to start, and remember it' },
    dir: { type: 'string', short: 'C', value: 'DIR', help: 'the project (default: the one around this directory)' },
    json: JSON_OPTION,
  },
  examples: [
    'helix calibrate adr',
    'helix calibrate adr docs/adr/*.md --model haiku --trials 100 --budget 20',
    'helix calibrate code src/*.ts --seed 7 --format json',
  ],
  run: async (call) => {
    const wanted = calibrationOf(call);
    const world = openWorldOf(call, call.text('dir') ?? judgingPlace(process.cwd()));
    return stoppable((stop) => measure(wanted, { call, world, stop }));
  },
};

type Context = { readonly call: Call; readonly world: World; readonly stop: AbortSignal };

async function measure(wanted: Calibration, { call, world, stop }: Context): Promise<number> {
  const { project } = world;
  await requireType(wanted.type, world);
  const named = judgedInputs(wanted.files, project.dir, process.cwd());
  const { type } = wanted;
  const files = named.length > 0 ? named : await acceptedFiles(world, { type, simulated: true });
  const pinning = { project: project.dir, files, signal: stop };
  const { snapshot, inputs } = await pinProject(pinning, { processes: await world.processes(), env: world.env });
  try {
    const pinned = { snapshot, inputs, before: asItLies(world, snapshot) };
    const settings = await ownSettings(project, pinned.before, (found) => tellSettings(found, call.terminal));
    const { question } = await prepareQuestion({ ...wanted, files }, { world, pinned, settings, stop });
    requireChecks(question);
    const chosen = await chooseJudge(judgeChoice(call), world, { settings, approval: question.settings });
    const defects = await loadDefects(question, world, call.terminal);
    // What only a simulated judge approved is nothing to measure a real one by.
    const real = named.length > 0 || chosen.simulated ? files : await acceptedFiles(world, { type, simulated: false });
    const documents = await documentsOf(question, real);
    const plan = planTrials(documents, defects, wanted);
    announce(plan, wanted, call);
    const agent = await world.agent(chosen.agent);
    const sandbox = await world.sandbox(settings.sandbox ?? 'auto', settings.limits);
    world.secrets([chosen.agent]);
    const progress = openJudgeProgress(call.terminal, `${type}: ${chosen.name}`);
    const run = await runTrials(plan.trials, {
      ask: (asking) => askTrial(asking, { world, chosen, agent, sandbox, question, stop }),
      budgetUsd: wanted.budgetUsd,
      signal: stop,
      onDone: (done) => progress.onText(`${done} of ${plan.trials.length}`),
    }).finally(progress.close);
    const document = documentOf(wanted, { plan, run, question, documents, simulated: chosen.simulated });
    const { terminal } = call;
    terminal.out(wanted.json ? renderJson(document) : renderCalibration(document, terminal.paintOut));
    return exitCode(run, stop);
  } finally {
    await snapshot.dispose();
  }
}

/** Said before anybody looks for files to measure it by. */
async function requireType(type: string, { project, shippedApproval }: World): Promise<void> {
  await readAsked({ type }, projectSource({ project, shippedApproval }));
}

/** What judges are told is taken as it lies there, and not from the last commit: so a check can be measured while it is written. */
function asItLies({ project }: World, { files }: Snapshot): PinnedProject['before'] {
  const paths = files.map(({ path }) => path);
  return {
    read: (path, limit) => project.read(path, limit),
    list: async (folder) => (folder === '' ? paths : paths.filter((path) => path.startsWith(`${folder}/`))),
    links: (folder) => project.links(folder),
    target: (path) => project.target(path),
  };
}

function requireChecks({ type, checks }: Question): void {
  if (checks.length > 0) return;
  throw new HelixError('usage', `approvals of type ${type} ask no judge: their list of checks is empty`, {
    hint: 'Name checks in config/approvals.yaml.',
  });
}

async function documentsOf({ inputs, snapshot }: Question, wanted: readonly string[]): Promise<Accepted[]> {
  const documents: Accepted[] = [];
  for (const { path } of inputs.filter((input) => wanted.includes(input.path))) {
    const bytes = (await snapshot.read(path, MAX_DOCUMENT + 1)) ?? Buffer.alloc(0);
    if (!isUtf8(bytes) || bytes.length > MAX_DOCUMENT) {
      const why = bytes.length > MAX_DOCUMENT ? `is larger than ${MAX_DOCUMENT / 1024} KB` : 'is not UTF-8 text';
      throw new HelixError('usage', `${path} ${why}, so nothing can be planted in it`, { hint: 'Leave it out.' });
    }
    documents.push({ path, text: bytes.toString('utf8') });
  }
  return documents;
}

function announce({ trials, versions }: TrialPlan, { type, seed, budgetUsd }: Calibration, { terminal }: Call): void {
  if (versions === 0) {
    throw new HelixError('usage', 'none of the defects can be planted in these files: nothing they look for is there', {
      hint: `Name other files, or write defects that fit in approvals/${type}/defects.yaml.`,
    });
  }
  const planted = trials.filter((trial) => trial.planted !== undefined).length;
  if (!terminal.interactive) return;
  const most = `at most ${budgetUsd.toFixed(2)} USD`;
  terminal.err(`asks ${trials.length} times, ${planted} times about a planted defect, for ${most}; seed ${seed}\n`);
}

type Measured = {
  readonly plan: TrialPlan;
  readonly run: TrialsRun;
  readonly question: Question;
  readonly documents: readonly Accepted[];
  readonly simulated: boolean;
};

function documentOf({ type, seed }: Calibration, measured: Measured): CalibrationDocument {
  const { plan, run, question, documents, simulated } = measured;
  const { judged, asked, interrupted, cost, stopped } = run;
  return {
    ...{ schema: 'helix.calibration/1', type, seed, simulated, trials: asked, interrupted },
    skipped: plan.skipped,
    documents: documents.map(({ path }) => path),
    ...present({ stopped }),
    cost,
    ...tallyTrials(
      judged,
      question.checks.map(({ id }) => id),
    ),
    targets: TARGETS,
  };
}

function exitCode({ judged, stopped, interrupted }: TrialsRun, stop: AbortSignal): number {
  if (stop.aborted) return EXIT.interrupted;
  if (judged.length > 0) return EXIT.passed;
  return stopped !== undefined && interrupted === 0 ? EXIT.budget : EXIT.failed;
}
