import { hasError } from '../domain/finding.ts';
import { HelixError } from '../domain/helix-error.ts';
import { renderJson } from '../report/json.ts';
import { renderMermaid } from '../report/mermaid.ts';
import { planDocument } from '../report/plan-document.ts';
import { renderPlan } from '../report/plan-text.ts';
import { type Command, JSON_OPTION } from './command.ts';
import { EXIT } from './exit-code.ts';
import { framesOf, load } from './load.ts';
import { openWorldOf } from './open-project.ts';

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
    if (format === 'json') terminal.out(renderJson(planDocument(loaded)));
    else if (format === 'mermaid') terminal.out(renderMermaid(loaded.phases));
    else
      terminal.out(
        renderPlan(loaded, { width: terminal.columns(), paint: terminal.paintOut, frame: framesOf(loaded) }),
      );
    return hasError(loaded.findings) ? EXIT.usage : EXIT.passed;
  },
};
