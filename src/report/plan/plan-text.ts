import { oneLine } from '../../text/sanitise.ts';
import { columns, pad } from '../words/columns.ts';
import { count } from '../words/count.ts';
import { type FindingsView, renderFindings } from '../words/findings-text.ts';
import { type Canvas, type Part, renderLine } from '../words/paint.ts';
import type { PhaseView, PlanView } from './plan-document.ts';

/** The plan for people: the phases step by step as they can run, then everything that is wrong with it. */
export function renderPlan(view: PlanView, canvas: Canvas & Pick<FindingsView, 'frame'>): string {
  const blocks = [header(view, canvas), graph(view.phases, canvas), findings(view, canvas)];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** Phases by the step they can start in, counted from 1; those that wait for each other or for nobody come last. */
function stepsOf(phases: readonly PhaseView[]): readonly (readonly PhaseView[])[] {
  const done = new Set<string>();
  const steps: PhaseView[][] = [];
  let left = [...phases];
  while (left.length > 0) {
    const ready = left.filter((phase) => phase.dependsOn.every((id) => done.has(id)));
    const step = ready.length > 0 ? ready : left;
    steps.push(step);
    for (const phase of step) done.add(phase.id);
    const placed = new Set(step);
    left = left.filter((phase) => !placed.has(phase));
  }
  return steps;
}

function header(view: PlanView, canvas: Canvas): string {
  const title: Part[] = [['strong', oneLine(view.project, 120)], '  ', ['dim', count(view.phases.length, 'phase')]];
  const ladder = usualLadder(view.phases);
  const off = view.offBranch === undefined ? undefined : `stays off the branch: ${view.offBranch}`;
  const notes = [ladder && `if a gate fails: ${ladder}`, off].filter((note) => note !== undefined);
  const lines = [title, ...notes.map((note): Part[] => [['dim', note]])];
  return lines.map((line) => renderLine(line, canvas)).join('\n');
}

/** What follows a failure in most phases; of approvals each is different. */
function usualLadder(phases: readonly PhaseView[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { ladder, type } of phases)
    if (ladder !== undefined && type !== 'approval') counts.set(ladder, (counts.get(ladder) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most?.[0];
}

function graph(phases: readonly PhaseView[], canvas: Canvas): string {
  const steps = stepsOf(phases);
  const number = String(steps.length).length;
  const id = phases.reduce((width, phase) => Math.max(width, columns(phase.id)), 0);
  const widths = { number, id: Math.min(id, Math.floor(canvas.width / 3)), usual: usualLadder(phases) };
  return steps
    .flatMap((step, index) =>
      step.flatMap((phase, place) =>
        rows(phase, { step: index + 1, branch: branch(place, step.length), ...widths }, canvas),
      ),
    )
    .join('\n');
}

/** Phases of one step are joined by a bracket: they can run at the same time. */
function branch(place: number, size: number): string {
  if (size === 1) return '─';
  if (place === 0) return '┬';
  return place === size - 1 ? '└' : '├';
}

type Place = {
  readonly step: number;
  readonly branch: string;
  readonly number: number;
  readonly id: number;
  readonly usual: string | undefined;
};

function rows(phase: PhaseView, place: Place, canvas: Canvas): string[] {
  const joined = place.branch === '└' || place.branch === '├';
  const step = joined ? ' '.repeat(place.number) : String(place.step).padStart(place.number);
  const after =
    phase.dependsOn.length === 0 ? '' : `  after ${phase.dependsOn.map((id) => oneLine(id, 64)).join(', ')}`;
  const head: Part[] = [
    ['dim', `${step} ${place.branch} `],
    ['strong', pad(oneLine(phase.id, 80), place.id)],
    `  ${oneLine(phase.type, 40)}`,
    ['dim', after],
  ];
  const under = ' '.repeat(place.number) + (place.branch === '┬' || place.branch === '├' ? ' │ ' : '   ');
  const { ladder } = phase;
  const own = ladder === undefined || ladder === place.usual ? '' : `if it fails: ${oneLine(ladder, 300)}`;
  const more = [details(phase), ...chosen(phase), own].filter((line) => line !== '');
  return [renderLine(head, canvas), ...more.map((line) => renderLine([['dim', under], `  ${line}`], canvas))];
}

function details(phase: PhaseView): string {
  const gates = phase.gates.map((gate) => oneLine(gate, 40)).join(', ');
  return [
    ...(phase.name === phase.id ? [] : [oneLine(phase.name, 80)]),
    ...(gates === '' ? [] : [`gates: ${gates}`]),
    ...(phase.probed === true ? ['tests probed'] : []),
    ...(phase.reproduces === true ? ['a new test has to fail'] : []),
    ...(phase.agent === undefined ? [] : [`agent: ${oneLine(phase.agent, 40)}`]),
    ...(phase.model === undefined ? [] : [`model: ${oneLine(phase.model, 80)}`]),
  ].join(' · ');
}

/** What HELIX chooses where the plan leaves it the choice. */
function chosen({ auto = [] }: PhaseView): string[] {
  return auto.map(
    ({ setting, name = 'none', reason }) => `${setting} auto: ${oneLine(name, 80)} (${oneLine(reason, 300)})`,
  );
}

function findings(view: PlanView, canvas: Canvas & Pick<FindingsView, 'frame'>): string {
  return renderFindings(view.findings, { paint: canvas.paint, frame: canvas.frame });
}
