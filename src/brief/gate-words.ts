import type { Gate } from '../domain/plan/gate.ts';
import type { Phase } from '../domain/plan/plan.ts';
import { oneLine } from '../text/sanitise.ts';
import { code } from './quote.ts';

type Words = (gate: Gate, phase: Phase) => string;

const PROBED = ' Then lines you changed are broken on purpose in a copy: there should be a test that notices.';

const WORDS: Readonly<Record<string, Words>> = {
  files_exist: (gate, phase) => existing(gate, phase),
  syntax_check: (gate, phase) => `${subject(gate, phase)} must be free of syntax errors${language(gate)}.`,
  files_exist_and_syntax: (gate, phase) =>
    `${existing(gate, phase)} All of it must be free of syntax errors${language(gate)}.`,
  tests_pass: (gate) =>
    `The tests must pass${command(gate, ' with ', '; their command is found in the project')}. Fewer tests than before count against you.${gate.settings.probe === true ? PROBED : ''}`,
  review_approved: (gate, phase) =>
    `${code(reviewFile(gate, phase))} must be written in this attempt. The work goes on only if it says ${code('"approved": true')} and holds no finding of severity error; a refusal that is right is a good result.`,
  adr_complete: (gate) => adr(gate),
  approval: (gate) =>
    `An independent reviewer (${oneLine(setting(gate, 'approval_type') ?? 'approval', 80)}) reads the result. It sees the files only, not your explanations.`,
  approval_passed: () => 'An independent approval of exactly these inputs must be on record.',
  verification: () => 'An independent agent then checks the result against this brief.',
  adr_valid: (gate) => adr(gate),
  custom: (gate) => `A command must succeed${command(gate, ': ', '')}.`,
};

/** Gates whose notes are what a judge is asked. */
const ASKING: ReadonlySet<string> = new Set(['approval', 'verification']);

/** What will be checked after the agent stops: one sentence per gate, and below it what is known of each gate besides. */
export function gateWords(phase: Phase, notes: readonly (readonly string[])[] = []): string[] {
  return phase.gates.map((gate, index) => {
    const more = notes[index] ?? [];
    const listed = gate.type === 'approval' && more.length > 0;
    const words = (WORDS[gate.type] ?? unknown)(gate, phase) + (listed ? '' : named(gate));
    return [words + (more.length > 0 && ASKING.has(gate.type) ? ' Its questions:' : ''), ...more].join('\n  - ');
  });
}

/** Where the reviewer's judgement has to be written, if a gate reads one. */
export function expectedReview(phase: Phase): string | undefined {
  const gate = phase.gates.find(({ type }) => type === 'review_approved');
  return gate && reviewFile(gate, phase);
}

function reviewFile(gate: Gate, phase: Phase): string {
  return setting(gate, 'file') ?? under(phase.output.directory, 'review.json');
}

function under(directory: string, file: string): string {
  return directory === '.' || directory === '' ? file : `${directory}/${file}`;
}

function setting(gate: Gate, name: string): string | undefined {
  const value = gate.settings[name];
  return typeof value === 'string' ? value : undefined;
}

function filesOf(gate: Gate, phase: Phase): readonly string[] {
  const { files } = gate.settings;
  return Array.isArray(files) ? files.map(String) : phase.output.files;
}

function existing(gate: Gate, phase: Phase): string {
  const files = filesOf(gate, phase);
  if (files.length > 0) return `These files must exist: ${list(files)}.`;
  return `At least one file under ${code(phase.output.directory)} must be new or changed, and not empty.`;
}

function subject(gate: Gate, phase: Phase): string {
  const files = filesOf(gate, phase);
  return files.length > 0 ? list(files) : `Every file you write under ${code(phase.output.directory)}`;
}

function list(files: readonly string[]): string {
  const shown = files.slice(0, 50).map(code).join(', ');
  return files.length > 50 ? `${shown} and ${files.length - 50} more` : shown;
}

function language(gate: Gate): string {
  const name = setting(gate, 'language');
  return name === undefined ? '' : ` (${oneLine(name, 40)})`;
}

function command(gate: Gate, before: string, otherwise: string): string {
  const value = gate.settings.command;
  if (value === undefined) return otherwise;
  return before + code(Array.isArray(value) ? value.map(String).join(' ') : String(value));
}

function adr(gate: Gate): string {
  const file = setting(gate, 'file');
  const concept = setting(gate, 'concept');
  const covered = concept === undefined ? '' : ` Everything the concept ${code(concept)} decides must be in it.`;
  return `The ADR${file === undefined ? '' : ` ${code(file)}`} must have every required section, with content, and follow the project's ADR rules.${covered}`;
}

function unknown(gate: Gate): string {
  return `The gate ${code(gate.type)} must pass.`;
}

function named(gate: Gate): string {
  const { checks } = gate.settings;
  return Array.isArray(checks) && checks.length > 0 ? ` Checks: ${list(checks.map(String))}.` : '';
}
