import { posix } from 'node:path';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { normalisePath } from '../../text/safe-path.ts';
import type { ReadHere } from './passing-tests.ts';

const ADR_GATES: ReadonlySet<string> = new Set(['adr_complete', 'adr_valid']);
const ADR_PATH = /(?:^|\/)(?:adrs?\/|adr[-_.])[^/]*\.(?:md|markdown)$/i;
const MARKDOWN = /\.(?:md|markdown)$/i;

/** The files that gates on ADRs name. */
export function adrFiles(gates: readonly Gate[]): string[] {
  return gates.flatMap(({ type, settings }) =>
    ADR_GATES.has(type) && typeof settings.file === 'string' ? [settings.file] : [],
  );
}

/** Tells whether an output of a phase is an ADR: a gate takes it for one, or it is called like one. */
export function isAdr(path: string, { gates }: Phase): boolean {
  if (!MARKDOWN.test(path)) return false;
  return ADR_PATH.test(path) || gates.some(({ type, settings }) => ADR_GATES.has(type) && settings.file === undefined);
}

/** An ADR that has every part the free checks ask for, says that it is simulated, and carries on the concept of its gate where that can be read. */
export function simulatedAdr(path: string, phase: Phase, read: ReadHere): string {
  const { id, name } = phase;
  const number = /\d+/.exec(posix.basename(path))?.[0] ?? '001';
  const note = `Simulated by the scripted agent: phase ${id}.`;
  const section = (title: string, text: string) => `## ${title}\n\n${note} ${text}\n`;
  return [
    `---\nadr_id: "${number}"\ntitle: ${JSON.stringify(`Simulated: ${name}`)}\nstatus: Proposed\ncomponent_type: MISC\nclassification: UPDATE\nchange_scope: minor\n---\n`,
    `# ADR-${number}: Simulated: ${name}\n`,
    section('Context', 'A plan is tried out at no cost before a real agent is paid for writing this record.'),
    section('Decision', 'The trial goes on with this text in the place of a decision; nobody has decided anything.'),
    section('Implementation', 'Nothing is built from this text; it only has the form that the checks ask for.'),
    ...carriedOn(conceptOf(phase, read)),
    section(
      'Documentation',
      'No page changes because of this text, which is replaced when an agent writes the record.',
    ),
    `## Acceptance criteria\n\n- [ ] The trial of phase ${id} comes to its end\n- [ ] The free checks find every section of this record\n- [ ] The next run has an agent that writes the record itself\n`,
    section('Consequences', 'The plan is known to work in its form. What the record should say is still open.'),
  ].join('\n');
}

/** The concept that a gate compares the ADR with, as it lies in the directory of the attempt. */
function conceptOf({ gates, output }: Phase, read: ReadHere): string | undefined {
  const named = gates.map(({ settings }) => settings.concept).find((concept) => typeof concept === 'string');
  if (typeof named !== 'string') return undefined;
  const path = normalisePath(named);
  const places = [
    path,
    posix.join('input', path),
    posix.join(output.directory, path),
    posix.join('input', output.directory, path),
  ];
  return places.map((place) => read(place)).find((text) => text !== undefined && text !== '');
}

/** What a concept says, one level deeper, so that all of it stands below the implementation. */
function carriedOn(concept: string | undefined): string[] {
  if (concept === undefined) return [];
  const body = concept.replace(/^\uFEFF?---\r?\n[\s\S]*?\n---\r?\n/, '').replace(/^# [^\n]*\n/m, '');
  const lines = body.split('\n');
  let isFenced = false;
  const deeper = lines.map((line) => {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isFenced = !isFenced;
    return isFenced ? line : line.replace(/^(#{2,5}) /, '#$1 ');
  });
  return [`${deeper.join('\n').trim()}\n`];
}
