import { hasError } from '../domain/finding.ts';
import { HelixError } from '../domain/helix-error.ts';
import type { LoadedPlan } from '../plan/load-plan.ts';
import { type Command, JSON_OPTION } from './command.ts';
import { EXIT } from './exit-code.ts';
import { framesOf, load } from './load.ts';
import { openWorldOf } from './open-project.ts';
import type { Terminal } from './terminal.ts';

/** `helix plan` */
export const plan: Command = {
  usage: 'plan [dir] [--format text|json|mermaid]',
  about: `Checks the whole plan before anything starts and prints its phases as a graph. Every finding names file, line and
column; a plan with errors exits 2.`,
  positionals: { min: 0, max: 1 },
  options: {
    format: { type: 'string', value: 'F', help: 'text (default), json or mermaid' },
    json: JSON_OPTION,
  },
  examples: ['helix plan', 'helix plan demo --format mermaid', 'helix plan --json | jq .findings'],
  run: async (call) => {
    const format = call.flag('json') ? 'json' : (call.text('format') ?? 'text');
    if (!['text', 'json', 'mermaid'].includes(format)) {
      throw new HelixError('usage', `there is no format ${JSON.stringify(format)}`, {
        hint: 'Formats: text, json, mermaid',
      });
    }
    const { terminal } = call;
    const loaded = await load(openWorldOf(call, call.positionals[0]));
    terminal.out(await render(format, loaded, terminal));
    return hasError(loaded.findings) ? EXIT.usage : EXIT.passed;
  },
};

async function render(format: string, loaded: LoadedPlan, terminal: Terminal): Promise<string> {
  if (format === 'mermaid') return (await import('../report/mermaid.ts')).renderMermaid(loaded.phases);
  if (format === 'json') {
    const [{ renderJson }, { planDocument }] = [
      await import('../report/json.ts'),
      await import('../report/plan-document.ts'),
    ];
    return renderJson(planDocument(loaded));
  }
  const { renderPlan } = await import('../report/plan-text.ts');
  return renderPlan(loaded, { width: terminal.columns(), paint: terminal.paintOut, frame: framesOf(loaded) });
}
