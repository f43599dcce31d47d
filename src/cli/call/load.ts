import { config } from 'zod';
import { hasError } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { type LoadedPlan, loadPlan } from '../../plan/load-plan.ts';
import type { World } from '../../ports/world.ts';
import { renderFindings } from '../../report/words/findings-text.ts';
import { framesIn } from '../../text/code-frame.ts';
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
    shippedNames: () => ({ templates: world.shippedTemplates(), skills: [...world.shippedSkills().keys()] }),
    adrRules: async (text, path) => (await import('../../adr/rules/load/load-rules.ts')).loadRules(text, path).findings,
  });
}

/** Shows what was found in the plan and refuses one with errors. */
export function refuseErrors(loaded: LoadedPlan, terminal: Terminal): Plan {
  if (loaded.findings.length > 0) {
    terminal.err(`${renderFindings(loaded.findings, { paint: terminal.paint, frame: framesIn(loaded.sources) })}\n`);
  }
  if (hasError(loaded.findings) || loaded.plan === undefined) {
    throw new HelixError('plan', `the plan in ${loaded.source.path} has errors; nothing was started`, {
      hint: 'Mend them and look again: helix plan',
    });
  }
  return loaded.plan;
}
