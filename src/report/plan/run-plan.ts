import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { oneLine } from '../../text/sanitise.ts';
import { growthWords } from '../words/growth-words.ts';
import type { Canvas, Style } from '../words/paint.ts';
import type { PhaseView, PlanView } from './plan-document.ts';

/** The plan a run goes by now. */
export function runPlanView({ plan, growths }: RunState): PlanView {
  return { project: plan.project.name, phases: plan.phases.map(phaseView), findings: [], ...present({ growths }) };
}

function phaseView({ id, name, type, dependsOn, gates, agent, config }: Phase): PhaseView {
  return {
    ...{ id, name, type, dependsOn, gates: gates.map((gate) => gate.type) },
    ...(gates.some(({ settings }) => settings.probe === true) && { probed: true }),
    ...(gates.some(({ settings }) => settings.expect === 'red') && { reproduces: true }),
    ...present({ agent, model: config.model }),
  };
}

/** What each growth of a run's plan changed, as a difference to the plan before it. */
export function renderGrowths(events: readonly RunEvent[], { paint }: Canvas): string {
  let before: Plan | undefined;
  const blocks: string[] = [];
  for (const { type, data } of events) {
    if (type === 'plan_grown') {
      const after = data.plan;
      const lines = before === undefined || after === undefined ? [] : difference(before, after, paint);
      blocks.push([paint('strong', growthWords(data)), ...lines].join('\n'));
    }
    if ('plan' in data && data.plan !== undefined) before = data.plan;
  }
  return blocks.length === 0 ? '' : `\n${blocks.join('\n\n')}\n`;
}

function difference(before: Plan, after: Plan, paint: Canvas['paint']): string[] {
  const old = new Map(before.phases.map((phase) => [phase.id, phase]));
  const ids = new Set(after.phases.map(({ id }) => id));
  const line = (style: Style, sign: string, phase: Phase) => paint(style, `  ${sign} ${summed(phase)}`);
  return [
    ...after.phases.flatMap((phase) => {
      const former = old.get(phase.id);
      if (former === undefined) return [line('good', '+', phase)];
      if (JSON.stringify(former) === JSON.stringify(phase)) return [];
      return [line('bad', '-', former), line('good', '+', phase), ...untold(former, phase)];
    }),
    ...before.phases.filter(({ id }) => !ids.has(id)).map((phase) => line('bad', '-', phase)),
  ];
}

const SUMMED: ReadonlySet<string> = new Set(['type', 'dependsOn', 'agent', 'requiresApproval', 'optional']);

/** What else of a phase is another one now, beside what its line says. */
function untold(former: Phase, phase: Phase): string[] {
  const [was, is] = [Object.entries(former), Object.entries(phase)].map((entries) => new Map<string, unknown>(entries));
  const fields = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])].filter((field) => !SUMMED.has(field));
  const text = (value: unknown) => (value === undefined ? 'none' : oneLine(JSON.stringify(value), 300));
  return fields
    .filter((field) => JSON.stringify(was?.get(field)) !== JSON.stringify(is?.get(field)))
    .filter((field) => !(field === 'gates' && former.gates.map(gateText).join() !== phase.gates.map(gateText).join()))
    .filter((field) => !(field === 'output' && former.output.files.join() !== phase.output.files.join()))
    .map((field) => `      ${field}: ${text(was?.get(field))} becomes ${text(is?.get(field))}`);
}

/** What in one line tells one version of a phase from another. */
function summed({ id, type, dependsOn, gates, output, agent, config, requiresApproval, optional }: Phase): string {
  const parts = [
    `${oneLine(id, 64)}  ${type}`,
    ...(dependsOn.length === 0 ? [] : [`after ${dependsOn.map((each) => oneLine(each, 64)).join(', ')}`]),
    ...(output.files.length === 0 ? [] : [`writes ${output.files.map((file) => oneLine(file, 120)).join(', ')}`]),
    `gates ${gates.map(gateText).join(', ')}`,
    ...(agent === undefined ? [] : [`agent ${oneLine(agent, 40)}`]),
    ...(config.model === undefined ? [] : [`model ${oneLine(config.model, 80)}`]),
    ...(requiresApproval ? ['asks before it starts'] : []),
    ...(optional ? ['optional'] : []),
  ];
  return parts.join(' · ');
}

function gateText({ type, settings, criteria = [] }: Phase['gates'][number]): string {
  const told = Object.keys(settings).length === 0 ? '' : ` ${oneLine(JSON.stringify(settings), 300)}`;
  const shown = criteria.length === 0 ? '' : ` for ${oneLine(criteria.join(' '), 300)}`;
  return `${oneLine(type, 40)}${told}${shown}`;
}
