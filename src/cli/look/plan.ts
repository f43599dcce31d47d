import { type Finding, hasError } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { present } from '../../domain/present.ts';
import type { LoadedPlan } from '../../plan/load-plan.ts';
import type { World } from '../../ports/world.ts';
import type { PlanView } from '../../report/plan/plan-document.ts';
import type { renderPlan } from '../../report/plan/plan-text.ts';
import { framesIn } from '../../text/code-frame.ts';
import { type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { pickRun, readRun } from '../call/find-run.ts';
import { load } from '../call/load.ts';
import { openWorldOf } from '../call/open-project.ts';
import type { Terminal } from '../call/terminal.ts';

/** `helix plan` */
export const plan: Command = {
  usage: 'plan [dir] [--run R] [--format text|json|mermaid]',
  about: `Checks the whole plan before anything starts and prints its phases as a graph. Every finding names file, line and
column; a plan with errors exits 2. With --run it shows the plan that run goes by now and, where an agent of the run has
written to it, what that changed.`,
  positionals: { min: 0, max: 1 },
  options: {
    run: { type: 'string', value: 'R', help: 'show the plan of this run, and how it has grown' },
    format: { type: 'string', value: 'F', help: 'text (default), json or mermaid' },
    json: JSON_OPTION,
  },
  examples: [
    'helix plan',
    'helix plan demo --format mermaid',
    'helix plan --run 20261115-1a2b3c4d',
    'helix plan --json | jq .findings',
  ],
  run: async (call) => {
    const format = call.flag('json') ? 'json' : (call.text('format') ?? 'text');
    if (!['text', 'json', 'mermaid'].includes(format)) {
      throw new HelixError('usage', `there is no format ${JSON.stringify(format)}`, {
        hint: 'Formats: text, json, mermaid',
      });
    }
    const { terminal } = call;
    const world = openWorldOf(call, call.positionals[0]);
    const run = call.text('run');
    if (run !== undefined) return showRun(world, run, { format, terminal });
    const loaded = await withTemplates(await withJudges(await load(world), world), world);
    const view = format === 'mermaid' ? loaded : await withAuto(await withLadders(loaded), loaded, world);
    const canvas = { width: terminal.columns(), paint: terminal.paintOut, frame: framesIn(loaded.sources) };
    terminal.out(await rendered(format, view, canvas));
    return hasError(loaded.findings) ? EXIT.usage : EXIT.passed;
  },
};

/** The plan that a run goes by now, and how it came to be. */
async function showRun(
  world: World,
  named: string,
  { format, terminal }: { readonly format: string; readonly terminal: Terminal },
): Promise<number> {
  const { state, events } = await readRun(world, await pickRun(world, named));
  const { renderGrowths, runPlanView } = await import('../../report/plan/run-plan.ts');
  const view = runPlanView(state);
  const canvas = { width: terminal.columns(), paint: terminal.paintOut };
  terminal.out(await rendered(format, view, { ...canvas, frame: () => undefined }));
  if (format === 'text') terminal.out(renderGrowths(events, canvas));
  return EXIT.passed;
}

/** What only those find who look into approvals/ and config/approvals.yaml. */
async function withJudges(loaded: LoadedPlan, world: World): Promise<LoadedPlan> {
  const asks = loaded.plan?.phases.some(({ gates, onRejection }) =>
    [...gates.map(({ type }) => type), onRejection && 'approval'].some((type) =>
      /^(approval|verification|adr_complete)$/.test(type ?? ''),
    ),
  );
  if (loaded.plan === undefined || asks !== true) return loaded;
  const { judgeTroubles } = await import('../../engine/start/check-judges.ts');
  const { judgesOf } = await import('../../engine/start/choose-judges.ts');
  const { projectSource } = await import('../../engine/step/question-source.ts');
  const { agents, escalation } = loaded;
  // Whether simulated judges count is said when a run starts.
  const settings = { ...loaded.settings, allow_simulated: true };
  const judging = {
    agents,
    settings,
    escalation,
    creator: settings.roles?.creator ?? 'default',
    judges: judgesOf(settings, agents),
  };
  const found = (await judgeTroubles(loaded.plan.phases, judging, projectSource(world))).map(
    ({ message, hint }): Finding => ({
      ...{ severity: 'error', check: 'approval', message, location: { file: loaded.source.path } },
      ...present({ hint }),
    }),
  );
  return { ...loaded, findings: [...loaded.findings, ...found] };
}

/** The plan with what follows in each phase when it fails. */
async function withLadders(loaded: LoadedPlan): Promise<PlanView> {
  const { plan, agents, settings, phases, ownModels } = loaded;
  if (plan === undefined) return loaded;
  const { chooseConsultant, withoutConsultant } = await import('../../engine/start/choose-consultant.ts');
  const { renderLadder } = await import('../../report/plan/ladder-text.ts');
  const { renderOffBranch } = await import('../../report/plan/off-branch.ts');
  const creator = settings.roles?.creator ?? 'default';
  const consultant = chooseConsultant({ phases: plan.phases, agents, creator, settings, ownModels });
  const escalation = consultant === undefined ? withoutConsultant(loaded.escalation) : loaded.escalation;
  const ladders = new Map(plan.phases.map((phase) => [phase.id, renderLadder(phase, { plan, escalation })]));
  const offBranch = renderOffBranch(plan);
  const climbing = phases.map((phase) => ({ ...phase, ladder: ladders.get(phase.id) ?? '' }));
  return { ...loaded, phases: climbing, ...present({ offBranch }) };
}

/** What only rendering the briefs finds in the project's own templates. */
async function withTemplates(loaded: LoadedPlan, world: World): Promise<LoadedPlan> {
  if (loaded.plan === undefined) return loaded;
  const { templateTroubles } = await import('../../engine/check-templates.ts');
  const found = await templateTroubles(loaded.plan, world);
  return found.length === 0 ? loaded : { ...loaded, findings: [...loaded.findings, ...found] };
}

/** What HELIX would choose now where a plan says `auto`. */
async function withAuto(view: PlanView, { plan }: LoadedPlan, world: World): Promise<PlanView> {
  if (plan === undefined) return view;
  const { planChoices } = await import('../../engine/start/plan-choices.ts');
  const { lookAt } = await import('../project/look-at.ts');
  const choices = await planChoices(plan, world, (project) => lookAt({ project, marker: world.marker }));
  return { ...view, phases: view.phases.map((phase) => ({ ...phase, ...present({ auto: choices.get(phase.id) }) })) };
}

async function rendered(format: string, view: PlanView, canvas: Parameters<typeof renderPlan>[1]): Promise<string> {
  if (format === 'mermaid') return (await import('../../report/plan/mermaid.ts')).renderMermaid(view.phases);
  if (format === 'json') {
    const [{ renderJson }, { planDocument }] = [
      await import('../../report/words/json.ts'),
      await import('../../report/plan/plan-document.ts'),
    ];
    return renderJson(planDocument(view));
  }
  return (await import('../../report/plan/plan-text.ts')).renderPlan(view, canvas);
}
