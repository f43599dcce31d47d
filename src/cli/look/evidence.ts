import { HelixError } from '../../domain/helix-error.ts';
import { runEvidence } from '../../engine/publish/run-evidence.ts';
import { scopeOf } from '../../engine/run.ts';
import { renderEvidencePage } from '../../report/html/html.ts';
import { renderEvidence } from '../../report/run/evidence-text.ts';
import { renderJson } from '../../report/words/json.ts';
import { type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { pickRun, readRun } from '../call/find-run.ts';
import { DIR_OPTION, openWorldOf } from '../call/open-project.ts';
import { withVisit } from '../call/with-visit.ts';

/** `helix evidence` */
export const evidence: Command = {
  usage: 'evidence [run] [--format text|json|html]',
  about: `What shows that a run made what was asked for: for each part of the task or acceptance criterion the check that shows it
and what the judge quoted, the tests before and after, what became of them when lines were broken on purpose, and what
nobody checked. Without a run, the newest one is taken. Every run keeps it as final/evidence.json and in its report.`,
  positionals: { min: 0, max: 1 },
  options: {
    format: { type: 'string', value: 'F', help: 'text (the default), json or html' },
    dir: DIR_OPTION,
    json: JSON_OPTION,
  },
  examples: [
    'helix evidence',
    'helix evidence 20261115-1a2b3c4d --format json',
    'helix evidence --format html > evidence.html',
  ],
  run: async (call) => {
    const { terminal } = call;
    const format = call.flag('json') ? 'json' : (call.text('format') ?? 'text');
    if (format !== 'text' && format !== 'json' && format !== 'html') {
      throw new HelixError('usage', `--format takes text, json or html, not ${JSON.stringify(format)}`);
    }
    const world = openWorldOf(call);
    const { state } = await readRun(world, await pickRun(world, call.positionals[0]));
    await withVisit(world, { kind: 'diff', scope: scopeOf(state) }, async ({ workspace }) => {
      const document = await runEvidence(state, { workspace: async () => workspace, project: world.project });
      if (format === 'json') terminal.out(renderJson(document));
      else if (format === 'html') terminal.out(renderEvidencePage(document));
      else terminal.out(renderEvidence(document, { paint: terminal.paintOut }));
    });
    return EXIT.passed;
  },
};
