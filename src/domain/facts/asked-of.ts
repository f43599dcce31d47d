import type { RunState } from './run-state.ts';

/** What was asked for: the request, else what the plan says about its project; undefined where nothing was. */
export function askedOf({
  request,
  plan,
}: Pick<RunState, 'request'> & { readonly plan: Pick<RunState['plan'], 'project'> }): string | undefined {
  return [request, plan.project.description].map((text) => text?.trim()).find((text) => text);
}
