import { posix } from 'node:path';
import { planFileOf } from '../../domain/growing/growing-phase.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { growsPlan } from '../../domain/plan-growth.ts';

/** How a file of each kind says something without doing anything; `#` begins a comment in all others. */
const FORMS: readonly (readonly [endings: string, write: (note: string) => string])[] = [
  ['json jsonc json5 webmanifest', (note) => `${JSON.stringify({ simulated: true, note }, null, 2)}\n`],
  ['jsonl ndjson', (note) => `${JSON.stringify({ simulated: true, note })}\n`],
  ['ts mts cts tsx js mjs cjs jsx rs java c h cc cpp cxx hpp hh cs kt kts swift scala dart', (note) => `// ${note}\n`],
  ['go', (note) => `// ${note}\n\npackage simulated\n`],
  ['php', (note) => `<?php\n// ${note}\n`],
  ['css scss less', (note) => `/* ${note} */\n`],
  ['html htm vue svelte', (note) => `<!-- ${note} -->\n`],
  ['xml svg', (note) => `<simulated><!-- ${note} --></simulated>\n`],
  ['sql lua hs', (note) => `-- ${note}\n`],
  ['tex', (note) => `% ${note}\n`],
  ['txt rst adoc', (note) => `${note}\n`],
];

const BY_ENDING = new Map(FORMS.flatMap(([endings, write]) => endings.split(' ').map((ending) => [ending, write])));

const SPEC =
  'goal: Simulated, nothing was specified\nacceptance_criteria:\n  - Simulated, the files of the plan are there\n';

const SOURCES = `${JSON.stringify([{ id: 'S1', title: 'Simulated', url: 'simulated:nothing', accessed: '2000-01-01' }], null, 2)}\n`;

/** A text that is right for the file's kind and says that it is simulated. */
export function simulatedText(path: string, phase: Phase): string {
  const { id, name } = phase;
  const note = `Simulated by the scripted agent: phase ${id}.`;
  if (growsPlan(phase) && path === planFileOf(phase)) return `# ${note}\nphases: []\n`;
  if (posix.basename(path) === 'sources.json') return SOURCES;
  const ending = posix.extname(path).slice(1).toLowerCase();
  if (posix.basename(path) === 'spec.yaml') return `# ${note}\n${SPEC}`;
  if (posix.basename(path) === 'findings.md') return `# ${name}\n\n${note} [S1]\n`;
  if (ending === 'md' || ending === 'markdown') return `# ${name}\n\n${note}\n`;
  return (BY_ENDING.get(ending) ?? ((text) => `# ${text}\n`))(note);
}
