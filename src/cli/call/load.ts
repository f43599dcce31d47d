import { config } from 'zod';
import { type Finding, hasError } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { type LoadedPlan, loadPlan } from '../../plan/load-plan.ts';
import type { World } from '../../ports/world.ts';
import { renderFindings } from '../../report/words/findings-text.ts';
import { renderCodeFrame } from '../../text/code-frame.ts';
import type { Terminal } from './terminal.ts';

// Each schema is used once per command: compiling it would cost more than it saves.
config({ jitless: true });

/** Loads and checks the plan of a project. */
export function load(world: World): Promise<LoadedPlan> {
  return loadPlan(world.project, {
    template: (type) => world.template(`project-types/${type}.yaml`),
    templateTypes: () => world.projectTypes(),
    findProgram: (name) => world.findProgram(name),
    models: () => world.models(),
    shippedConfig: (name) => world.shippedConfig(name),
    adrRules: async (text, path) => (await import('../../adr/rules/load/load-rules.ts')).loadRules(text, path).findings,
  });
}

/** Gives the lines of a plan's file around a finding. */
export function framesOf(loaded: LoadedPlan): (finding: Finding) => string | undefined {
  return ({ location }) => {
    const text = location?.file === undefined ? undefined : loaded.sources.get(location.file);
    if (text === undefined || location?.line === undefined) return undefined;
    return renderCodeFrame(text, {
      line: location.line,
      ...present({ column: location.column }),
    });
  };
}

/** Shows what was found in the plan and refuses one with errors. */
export function refuseErrors(loaded: LoadedPlan, terminal: Terminal): Plan {
  if (loaded.findings.length > 0) {
    terminal.err(`${renderFindings(loaded.findings, { paint: terminal.paint, frame: framesOf(loaded) })}\n`);
  }
  if (hasError(loaded.findings) || loaded.plan === undefined) {
    throw new HelixError('plan', `the plan in ${loaded.source.path} has errors; nothing was started`, {
      hint: 'Mend them and look again: helix plan',
    });
  }
  return loaded.plan;
}
