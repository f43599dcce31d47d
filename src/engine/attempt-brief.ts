import { posix } from 'node:path';
import { type BriefSource, briefFacts } from '../brief/brief-facts.ts';
import { briefTemplates } from '../brief/choose-template.ts';
import type { Conventions } from '../brief/conventions.ts';
import { renderPhaseBrief } from '../brief/render-brief.ts';
import type { Phase, Plan } from '../domain/plan.ts';
import type { InputFile } from '../domain/run-event.ts';
import type { RunState } from '../domain/run-state.ts';

type Template = (name: string) => Promise<string | undefined>;
type Attempt = {
  readonly state: RunState;
  readonly phase: Phase;
  readonly attempt: number;
  readonly inputs: readonly InputFile[];
  readonly conventions: Conventions;
};

/** What the agent of an attempt is told. */
export function renderAttempt(
  { state, phase, attempt, inputs, conventions }: Attempt,
  template: Template,
): Promise<string> {
  const at = state.phases.get(phase.id);
  const source = { plan: state.plan, phase, attempt, inputs, conventions, request: state.request };
  return render({ ...source, verdicts: at?.lastVerdicts ?? [], guidance: at?.guidance ?? [] }, template);
}

/** Renders every brief once before anything starts, so that a broken template costs nothing; throws HelixError `config`. */
export async function checkBriefs(plan: Plan, template: Template): Promise<void> {
  for (const phase of plan.phases) {
    await render({ plan, phase, attempt: 1, inputs: [], verdicts: [], guidance: [] }, template);
  }
}

async function render(source: Omit<BriefSource, 'maxAttempts'>, template: Template): Promise<string> {
  const { phase } = source;
  const maxAttempts = Math.max(...phase.gates.map((gate) => gate.maxRetries), 1);
  const templates = await briefTemplates(phase, (path) => template(posix.relative('templates', path)));
  return renderPhaseBrief(templates, briefFacts({ ...source, maxAttempts }));
}
