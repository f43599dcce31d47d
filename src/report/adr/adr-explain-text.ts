import type { CheckDescription } from '../../domain/documents/adr-documents.ts';
import { oneLine, sanitise } from '../../text/sanitise.ts';
import type { Paint } from '../words/paint.ts';

const LAYERS: Readonly<Record<string, string>> = {
  1: 'Layer 1: structure',
  2: 'Layer 2: rules that the context calls for',
  3: 'Layer 3: what the concept promised',
  corpus: 'Across files',
};

/** Every check on one line, by layer. */
export function renderCheckList(checks: readonly CheckDescription[], paint: Paint): string {
  const width = Math.max(...checks.map(({ check }) => check.length)) + 2;
  const parts = Object.entries(LAYERS).map(([layer, heading]) => {
    const lines = checks
      .filter((check) => String(check.layer) === layer)
      .map(({ check, summary }) => `  ${oneLine(check).padEnd(width)}${oneLine(summary)}`);
    return [paint('strong', heading), ...lines, ''].join('\n');
  });
  return `${parts.join('\n')}\nMore about one: helix adr explain <check>\n`;
}

/** One check: what it looks for, why, and how to mend it, with examples. */
export function renderExplanation(description: CheckDescription, paint: Paint): string {
  const { check, layer, severity, summary, why, mend, bad, good } = description;
  const example = (heading: string, text: string | undefined): string[] =>
    text === undefined
      ? []
      : [
          paint('dim', heading),
          ...sanitise(text)
            .split('\n')
            .map((line) => `  ${line}`.trimEnd()),
          '',
        ];
  return [
    `${paint('strong', oneLine(check))}  ${oneLine(severity)}, ${LAYERS[String(layer)] ?? ''}`,
    '',
    oneLine(summary, 2000),
    '',
    `${paint('dim', 'Why:')} ${oneLine(why, 2000)}`,
    `${paint('dim', 'How to mend it:')} ${oneLine(mend, 2000)}`,
    '',
    ...example('Not so:', bad),
    ...example('But so:', good),
  ].join('\n');
}
