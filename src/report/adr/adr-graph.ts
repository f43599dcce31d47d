import type { AdrGraphDocument } from '../../domain/documents/adr-list-documents.ts';
import { oneLine } from '../../text/sanitise.ts';

type Node = AdrGraphDocument['nodes'][number];

const ARROWS = { depends_on: '-->', related_to: '-.-', supersedes: '==>' } as const;
const OUT_OF_FORCE: ReadonlySet<string> = new Set(['superseded', 'deprecated', 'rejected']);

/** The ADRs as a Mermaid flow chart; what is out of force is dashed. */
export function renderAdrMermaid({ nodes, edges }: AdrGraphDocument): string {
  const keys = keysOf(nodes);
  const old = nodes.filter(isOutOfForce).map(({ path }) => keys.get(path));
  return [
    'flowchart LR',
    ...nodes.map((node) => `  ${keys.get(node.path)}["${labelOf(node).map(mermaidText).join('<br/>')}"]`),
    ...edges.map(
      ({ from, to, kind }) => `  ${keys.get(from)} ${ARROWS[kind]}|${kind.replace('_', ' ')}| ${keys.get(to)}`,
    ),
    ...(old.length === 0 ? [] : ['  classDef old stroke-dasharray: 4 4,opacity:0.7', `  class ${old.join(',')} old`]),
    '',
  ].join('\n');
}

const LINES = { depends_on: 'solid', related_to: 'dotted', supersedes: 'bold' } as const;

/** The ADRs as a graph for Graphviz; what is out of force is dashed. */
export function renderAdrDot({ nodes, edges }: AdrGraphDocument): string {
  const keys = keysOf(nodes);
  return [
    'digraph adrs {',
    '  rankdir=LR;',
    '  node [shape=box];',
    ...nodes.map((node) => {
      const label = labelOf(node).map(dotText).join('\\n');
      return `  ${keys.get(node.path)} [label="${label}"${isOutOfForce(node) ? ', style=dashed' : ''}];`;
    }),
    ...edges.map(({ from, to, kind }) => {
      const direction = kind === 'related_to' ? ', dir=none' : '';
      return `  ${keys.get(from)} -> ${keys.get(to)} [label="${kind.replace('_', ' ')}", style=${LINES[kind]}${direction}];`;
    }),
    '}',
    '',
  ].join('\n');
}

/** Nodes are numbered, because an id can be a word of the language. */
function keysOf(nodes: readonly Node[]): ReadonlyMap<string, string> {
  return new Map(nodes.map(({ path }, index) => [path, `a${index + 1}`]));
}

function isOutOfForce({ status }: Node): boolean {
  return status !== undefined && OUT_OF_FORCE.has(status);
}

function labelOf({ id, title, status, statusText }: Node): string[] {
  return [id === undefined ? title : `${id} ${title}`, status ?? statusText ?? ''].filter((line) => line !== '');
}

/** Everything but letters, digits and harmless signs becomes an entity, so that no label can end itself or start HTML. */
function mermaidText(text: string): string {
  return oneLine(text, 120).replace(/[^\p{L}\p{M}\p{N} .,:_/()-]/gu, (character) => `#${character.codePointAt(0)};`);
}

function dotText(text: string): string {
  return oneLine(text, 120).replace(/["\\]/g, '\\$&');
}
