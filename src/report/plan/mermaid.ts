import { oneLine } from '../../text/sanitise.ts';
import type { PhaseView } from './plan-document.ts';

/** The phases as a Mermaid flow chart; nodes are numbered, because an id such as `end` is a word of the language. */
export function renderMermaid(phases: readonly PhaseView[]): string {
  const nodes = new Map(phases.map((phase, index) => [phase.id, `p${index + 1}`]));
  const edges = phases.flatMap((phase) =>
    phase.dependsOn.flatMap((id) => {
      const from = nodes.get(id);
      return from === undefined ? [] : [`  ${from} --> ${nodes.get(phase.id)}`];
    }),
  );
  return ['flowchart TD', ...phases.map((phase) => `  ${nodes.get(phase.id)}${shape(phase)}`), ...edges, ''].join('\n');
}

function shape(phase: PhaseView): string {
  const lines = [phase.id, ...(phase.name === phase.id ? [] : [phase.name]), phase.type, phase.gates.join(', ')];
  const label = lines
    .filter((line) => line !== '')
    .map(escapeLabel)
    .join('<br/>');
  return phase.type === 'approval' ? `{{"${label}"}}` : `["${label}"]`;
}

/** Everything but letters, digits and harmless signs becomes an entity, so that no label can end itself or start HTML. */
function escapeLabel(text: string): string {
  return oneLine(text, 120).replace(/[^\p{L}\p{M}\p{N} .,:_/()-]/gu, (character) => `#${character.codePointAt(0)};`);
}
