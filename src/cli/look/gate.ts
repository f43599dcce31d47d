import type { GateDocument } from '../../domain/documents/documents.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import type { Sandbox } from '../../domain/plan/sandbox.ts';
import { lostBeside, unseenHarm } from '../../domain/plan/trust.ts';
import { present } from '../../domain/present.ts';
import { noticedInWork } from '../../engine/attempt/noticed-in-work.ts';
import { type Judgement, judgeTree, noticedBefore, withScratch, workedBefore } from '../../engine/judge/judge-tree.ts';
import { asPublished, publishedTree } from '../../engine/judge/published-tree.ts';
import { settingsOrigin } from '../../engine/judge/settings-origin.ts';
import { detectedHarms, harmsIn } from '../../engine/start/detected-commands.ts';
import { requireKnown } from '../../engine/start/require-known.ts';
import type { ExaminedGrowth, WrittenPlan } from '../../engine/step/examined-growth.ts';
import { readInput } from '../../engine/step/read-input.ts';
import { testsBefore } from '../../engine/step/tests-before.ts';
import { gateWalls, requireEnforceable } from '../../engine/step/walls.ts';
import { gateTexts } from '../../engine/step/worked.ts';
import { failedEarlier, reproducedBefore, shownIn } from '../../engine/words/reproduced.ts';
import { lookAt } from '../../gates/commands/steps-not-run.ts';
import type { GateContext } from '../../gates/gate/gate-context.ts';
import { GATES } from '../../gates/registry.ts';
import type { LoadedPlan } from '../../plan/load-plan.ts';
import type { World } from '../../ports/world.ts';
import { renderJudgement } from '../../report/run/judgement-text.ts';
import { renderJson } from '../../report/words/json.ts';
import { type Call, type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { phaseOf } from '../call/find-phase.ts';
import { load, refuseErrors } from '../call/load.ts';
import { DIR_OPTION, openWorldOf } from '../call/open-project.ts';
import { requireTrust } from '../call/require-trust.ts';
import { stoppable } from '../call/stop-signal.ts';
import { type Visit, withVisit } from '../call/with-visit.ts';
import { type Found, findTree, judgingScope, type Subject, subjectOf } from './gate-subject.ts';

/** `helix gate` */
export const gate: Command = {
  usage: 'gate <phase> [--run R] [--trust] [--json]',
  about: `Judges a phase again, without an agent, and records nothing: the gates of phases.yaml as it is now look at what the
phase last made, so that an edited gate can be tried. Without a run that has something of the phase, the last commit
is judged or, where phases have directories of their own, what lies there. Exits 0 when all gates pass, 1 when one does
not, 2 when one could not be asked.`,
  positionals: { min: 1, max: 1 },
  options: {
    run: { type: 'string', value: 'R', help: 'the run (default: the newest one that has something of the phase)' },
    trust: { type: 'boolean', help: 'trust what the plan wants to do, and remember it' },
    dir: DIR_OPTION,
    json: JSON_OPTION,
  },
  examples: ['helix gate 02-write', 'helix gate 02-write --run 20261115-1a2b3c4d', 'helix gate tests --json'],
  run: async (call) => {
    const world = openWorldOf(call);
    const loaded = await load(world);
    const plan = refuseErrors(loaded, call.terminal);
    const phase = phaseOf(plan, call.positionals[0] ?? '');
    refuseUnbuilt(phase);
    await trusted(call, world, { loaded, plan, phase });
    const wanted = { world, plan, phase };
    const found = await findTree(wanted, call.text('run'));
    const { settings: isolation } = loaded;
    const sandbox = await world.sandbox(isolation.sandbox ?? 'auto', isolation.limits);
    requireEnforceable({ ...plan, phases: [phase] }, isolation, sandbox);
    const scope = { ...judgingScope(found, plan), walled: sandbox.level === 'strict' };
    return stoppable((stop) =>
      withVisit(world, { kind: 'gate', scope }, async (visit) => {
        const subject = await subjectOf(found, visit, wanted);
        await seen(call, world, { plan, phase, subject });
        const walls = gateWalls({ sandbox, isolation, workspace: visit.workspace });
        const judgement = await judge(call, world, { plan, found, subject, visit, phase, walls, sandbox, stop });
        show(call, { phase, found, subject, judgement });
        return stop.aborted ? EXIT.interrupted : codeOf(judgement);
      }),
    );
  },
};

function refuseUnbuilt({ id, gates }: Phase): void {
  const missing = gates.filter(({ type }) => !GATES.has(type)).map(({ type }) => type);
  if (missing.length === 0) return;
  throw new HelixError('not_built', `phase ${id} has gates that HELIX cannot ask yet: ${missing.join(', ')}`);
}

/** Only what is started here needs trust: the set-up and the gates of this phase. */
async function trusted(
  call: Call,
  world: World,
  { loaded, plan, phase }: { loaded: LoadedPlan; plan: Plan; phase: Phase },
): Promise<void> {
  const { settings } = loaded;
  const wanting = { ...loaded, plan, creator: settings.roles?.creator ?? 'default' };
  if (call.flag('trust')) return requireTrust(world, wanting, true);
  await requireTrust(world, { ...wanting, plan: { ...plan, phases: [phase] }, agents: {} }, false, {
    lostOf: lostBeside,
  });
}

/** The checkout shows what was trusted; what is judged may run other scripts. */
async function seen(call: Call, world: World, { plan, phase, subject }: Pick<Case, 'plan' | 'phase' | 'subject'>) {
  if (plan.workspace.mode !== 'repo') return;
  const shown = await detectedHarms(plan, world.project);
  // A gate that finds nothing starts nothing, and one that may run what it will find is shown as such.
  if (shown.includes(unseenHarm(phase.id))) return;
  const found = await harmsIn(lookAt(subject.tree), { ...plan, phases: [phase] }, false);
  const lines = found.filter((line) => line !== unseenHarm(phase.id));
  await requireKnown(world, lines, {
    seen: shown,
    grant: call.flag('trust'),
    what: `what is judged (${subject.about})`,
    hint: 'If you know this is harmless, say so: --trust',
  });
}

type About = { readonly phase: Phase; readonly found: Found | undefined; readonly subject: Subject };
type Case = About & {
  readonly plan: Plan;
  readonly visit: Visit;
  readonly walls: GateContext['walls'];
  readonly sandbox: Sandbox;
  readonly stop: AbortSignal;
};

async function judge(
  call: Call,
  world: World,
  { plan, found, subject, visit, phase, walls, sandbox, stop }: Case,
): Promise<Judgement> {
  const { tree, base, attempt, about } = subject;
  const state = found?.state;
  const { terminal } = call;
  if (!call.flag('json')) terminal.err(`judging ${about}\n`);
  const processes = await world.processes();
  const settings = state && (await settingsOrigin(phase, state, visit.workspace));
  const around = state && { state: { ...state, plan }, workspace: visit.workspace };
  const published = around && (await publishedTree(phase, { tree: tree.id, inputs: subject.inputs }, around));
  const { variant } = subject;
  const reproduced = state && reproducedBefore(phase.id, state);
  const bug = state && shownIn(phase.id, state);
  const shown = bug === undefined ? undefined : await visit.workspace.tree(bug);
  const marker = `${visit.marker}:${phase.id}:${attempt}:gate`;
  return withScratch(
    {
      watch: () => visit.workspace.watch(phase),
      checkout: (extent) => subject.checkout(stop, extent === 'published' ? published?.content : undefined),
    },
    async (scratch) =>
      judgeTree(
        {
          ...{
            phase,
            attempt,
            tree,
            base,
            marker,
            processes,
            directory: () => scratch.directory('whole'),
            signal: stop,
            walls,
          },
          ...{ project: world.project.dir, env: world.env, programsIn: subject.programsIn },
          ...present({
            variant: variant && ((changes) => variant(changes)),
            former: subject.former,
            settings,
            reproduced,
            shown,
          }),
          projectFiles: subject.projectFiles,
          ...(state !== undefined && {
            grown: () => grownIn({ state, phase, tree: tree.id }, world, { visit, sandbox }),
          }),
          input: readInput(subject.inputs, visit.workspace),
          ...gateTexts(world.project, plan.workspace, base),
          shippedConfig: (name) => world.shippedConfig(name),
        },
        {
          gates: GATES,
          clock: world.clock,
          scratch,
          noticed: [
            ...(state === undefined ? tree.problems : await noticedBefore(phase, tree, state)),
            ...(await noticedInWork(
              { tree, base, phase, plan, inputs: subject.inputs.map(({ path }) => path) },
              world.secrets(Object.values(state?.agents ?? {})),
            )),
          ],
          asked: phase.gates.map((each) => ({ gate: each, of: phase })),
          before: (each) =>
            state === undefined ? undefined : testsBefore({ gate: each, phase: phase.id }, state, GATES),
          failedEarlier: (each) => state && failedEarlier(each, { phase: phase.id, gates: GATES }, state),
          worked: (each) => state !== undefined && workedBefore(each, state, GATES),
          ...present({
            published:
              published &&
              variant &&
              asPublished(published, {
                directory: () => scratch.directory('published'),
                variant: ({ changes, ...content }) => variant(changes, content),
              }),
          }),
          onGate: (type) => {
            if (terminal.interactive && !call.flag('json')) terminal.err(`${terminal.paint('dim', `${type} …`)}\n`);
          },
        },
      ),
  );
}

/** What the plan of that run would be with what its phase wrote. */
async function grownIn(
  written: WrittenPlan,
  world: World,
  { visit, sandbox }: Pick<Case, 'visit' | 'sandbox'>,
): Promise<ExaminedGrowth> {
  const { examineGrowth } = await import('../../engine/growing/examine-growth.ts');
  const template = (name: string) => world.template(name);
  return examineGrowth(written, { ...world, workspace: visit.workspace, sandbox, gates: GATES, template });
}

function codeOf({ verdicts, cut }: Judgement): number {
  if (cut !== undefined) return EXIT.usage;
  return verdicts.every(({ outcome }) => outcome === 'pass') ? EXIT.passed : EXIT.failed;
}

type Judged = About & { readonly judgement: Judgement };

function show(call: Call, judged: Judged): void {
  const { terminal } = call;
  const { phase } = judged;
  const { verdicts, cut } = judged.judgement;
  const unasked = phase.gates.slice(verdicts.length + (cut === undefined || cut.gate === 'workspace' ? 0 : 1));
  const names = unasked.map(({ type }) => type);
  if (call.flag('json')) terminal.out(renderJson(documentOf(judged, names)));
  else terminal.out(renderJudgement({ verdicts, cut, unasked: names }, terminal.paintOut));
}

function documentOf({ phase, found, subject, judgement }: Judged, unasked: string[]): GateDocument {
  const { verdicts, cut } = judgement;
  const code = codeOf(judgement);
  return {
    schema: 'helix.gate/1',
    phase: phase.id,
    ...(found !== undefined && { run: found.state.run, attempt: subject.attempt }),
    tree: subject.tree.id,
    outcome: code === EXIT.passed ? 'passed' : code === EXIT.failed ? 'failed' : 'unjudged',
    verdicts: [...verdicts],
    unasked,
    ...present({ interrupted: cut }),
  };
}
