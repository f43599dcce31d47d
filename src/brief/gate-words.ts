import { planFileOf } from '../domain/growing/growing-phase.ts';
import type { Gate } from '../domain/plan/gate.ts';
import type { Phase } from '../domain/plan/plan.ts';
import { oneLine } from '../text/sanitise.ts';
import { inEnglish, phrase, type Say } from '../text/say.ts';
import { code } from './quote.ts';

type Words = (gate: Gate, phase: Phase, say: Say) => string;

const WORDS: Readonly<Record<string, Words>> = {
  files_exist: (gate, phase, say) => existing(gate, phase, say),
  syntax_check: (gate, phase, say) =>
    say('{files} must be free of syntax errors{language}.', {
      files: subject(gate, phase, say),
      language: language(gate),
    }),
  files_exist_and_syntax: (gate, phase, say) =>
    `${existing(gate, phase, say)} ${say('All of it must be free of syntax errors{language}.', { language: language(gate) })}`,
  spec_valid: (gate, phase, say) =>
    say(
      '{file} must be YAML: a map with {criteria}, each a text or a map with {parts}. Every criterion says what can be seen, none says the same as another or the opposite, and no {open} is left.',
      {
        file: code(
          setting(gate, 'file') ?? phase.output.files.find((file) => file.endsWith('spec.yaml')) ?? 'spec.yaml',
        ),
        criteria: code('acceptance_criteria'),
        parts: code('id, text, check'),
        open: code('[NEEDS CLARIFICATION]'),
      },
    ),
  tests_pass: (gate, _phase, say) => tests(gate, say),
  review_approved: (gate, phase, say) =>
    say(
      'The work goes on only if {file} says {approved} and holds no finding of severity error; a refusal that is right is a good result.',
      { file: code(reviewFile(gate, phase)), approved: code('"approved": true') },
    ),
  adr_complete: (gate, _phase, say) => adr(gate, say),
  approval: (gate, _phase, say) =>
    say('An independent reviewer ({type}) reads the result. It sees the files only, not your explanations.', {
      type: oneLine(setting(gate, 'approval_type') ?? 'approval', 80),
    }),
  approval_passed: (_gate, _phase, say) => say('An independent approval of exactly these inputs must be on record.'),
  verification: (_gate, _phase, say) => say('An independent agent then checks the result against this brief.'),
  plan_valid: (_gate, phase, say) => written(phase, say),
  adr_valid: (gate, _phase, say) => adr(gate, say),
  custom: (gate, _phase, say) => {
    const command = commandOf(gate);
    return command === undefined
      ? say('A command must succeed.')
      : say('A command must succeed: {command}.', { command });
  },
};

/** Gates whose notes are what a judge is asked. */
const ASKING: ReadonlySet<string> = new Set(['approval', 'verification']);

/** What will be checked after the agent stops: one sentence per gate, and below it what is known of each gate besides. */
export function gateWords(phase: Phase, notes: readonly (readonly string[])[] = [], say: Say = inEnglish): string[] {
  const told = phase.gates.map((gate, index) => {
    const more = notes[index] ?? [];
    const listed = gate.type === 'approval' && more.length > 0;
    const words = (WORDS[gate.type] ?? unknown)(gate, phase, say) + (listed ? '' : named(gate, say));
    const asks = more.length > 0 && ASKING.has(gate.type) ? ` ${say('Its questions, as it reads them:')}` : '';
    return [words + asks, ...more].join('\n  - ');
  });
  return [...told, ...kindWords(phase, say)];
}

const LINKS = phrase(
  'Relative links and images in the Markdown that was changed lead to something, and files of examples that it names are there.',
);
const SOURCES = phrase(
  '{sources} is a JSON list of sources, each with {parts}: where it is, as an address or a path, and the day it was read. {findings} cites them where it claims something, as {cited}.',
);

/** What the type of a phase is held to, whatever its gates are. */
function kindWords({ type, output: { files } }: Phase, say: Say): string[] {
  const named = (name: string) => files.find((file) => file === name || file.endsWith(`/${name}`));
  const [findings, sources] = [named('findings.md'), named('sources.json')];
  if (type === 'research' && findings !== undefined && sources !== undefined) {
    const parts = code('id, title, url, path, accessed');
    return [say(SOURCES, { sources: code(sources), findings: code(findings), parts, cited: code('[S1]') })];
  }
  return type === 'documentation' ? [say(LINKS)] : [];
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

function existing(gate: Gate, phase: Phase, say: Say): string {
  const files = filesOf(gate, phase);
  if (files.length > 0) return say('These files must exist: {files}.', { files: list(files, say) });
  return say('At least one file under {directory} must be new or changed, and not empty.', {
    directory: code(phase.output.directory),
  });
}

function subject(gate: Gate, phase: Phase, say: Say): string {
  const files = filesOf(gate, phase);
  if (files.length > 0) return list(files, say);
  return say('Every file you write under {directory}', { directory: code(phase.output.directory) });
}

function list(files: readonly string[], say: Say): string {
  const shown = files.slice(0, 50).map(code).join(', ');
  return files.length > 50 ? `${shown} ${say('and {count} more', { count: files.length - 50 })}` : shown;
}

function language(gate: Gate): string {
  const name = setting(gate, 'language');
  return name === undefined ? '' : ` (${oneLine(name, 40)})`;
}

function written(phase: Phase, say: Say): string {
  const file = code(planFileOf(phase));
  const what = phase.generatesPhases
    ? say('The phases in {file} become part of the plan of this run, right after this one.', { file })
    : say(
        '{file} becomes the plan of this run: its phases replace all that have not begun; {none} leaves them as they are.',
        {
          file,
          none: code('phases: []'),
        },
      );
  return `${what} ${say('It is checked like a plan written by hand, and holds nothing but YAML.')}`;
}

function tests(gate: Gate, say: Say): string {
  const command = commandOf(gate);
  if (gate.settings.expect === 'red') return reproducing(command, say);
  return [
    command === undefined
      ? say('The tests must pass; their command is found in the project.')
      : say('The tests must pass with {command}.', { command }),
    say('Fewer tests than before count against you.'),
    ...(gate.settings.probe === true
      ? [say('Then lines you changed are broken on purpose in a copy: there should be a test that notices.')]
      : []),
  ].join(' ');
}

/** A test that cannot be run, and one that passes, show no bug. */
function reproducing(command: string | undefined, say: Say): string {
  return [
    command === undefined
      ? say(
          'A test that you add must fail because of the bug, and all others must pass; their command is found in the project.',
        )
      : say('A test that you add must fail with {command} because of the bug, and all others must pass.', { command }),
    say(
      'It counts only if it can be loaded and run. You change nothing but tests: the bug stays until the next phase.',
    ),
  ].join(' ');
}

function commandOf({ settings: { command } }: Gate): string | undefined {
  return command === undefined
    ? undefined
    : code(Array.isArray(command) ? command.map(String).join(' ') : String(command));
}

function adr(gate: Gate, say: Say): string {
  const file = setting(gate, 'file');
  const concept = setting(gate, 'concept');
  const form =
    file === undefined
      ? say("The ADR must have every required section, with content, and follow the project's ADR rules.")
      : say("The ADR {file} must have every required section, with content, and follow the project's ADR rules.", {
          file: code(file),
        });
  if (concept === undefined) return form;
  return `${form} ${say('Everything the concept {concept} decides must be in it.', { concept: code(concept) })}`;
}

function unknown(gate: Gate, _phase: Phase, say: Say): string {
  return say('The gate {gate} must pass.', { gate: code(gate.type) });
}

function named(gate: Gate, say: Say): string {
  const { checks } = gate.settings;
  if (!Array.isArray(checks) || checks.length === 0) return '';
  return ` ${say('Checks: {checks}.', { checks: list(checks.map(String), say) })}`;
}
