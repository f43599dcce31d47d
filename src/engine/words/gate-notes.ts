import { readAsked } from '../../approval/make-question.ts';
import type { Check } from '../../approval/question.ts';
import { gateWords } from '../../brief/gate-words.ts';
import { code } from '../../brief/quote.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import { PHASE_TYPES, type Phase, type Plan } from '../../domain/plan/plan.ts';
import { PLAN_GATE } from '../../domain/plan-growth.ts';
import { settledIn } from '../../gates/judge/verification.ts';
import { oneLine } from '../../text/sanitise.ts';
import { inEnglish, type Say } from '../../text/say.ts';
import { commandKey } from '../step/command-key.ts';
import type { RunContext } from '../step/engine-ports.ts';
import { projectSource, treeSource } from '../step/question-source.ts';
import { testsBefore } from '../step/tests-before.ts';
import { gateTexts } from '../step/worked.ts';
import { reproducedBefore } from './reproduced.ts';

const SHOWN = 20;

type Noting = RunContext<'workspace' | 'project' | 'gates' | 'shippedConfig' | 'shippedApproval'> & {
  /** Says what is HELIX's own in the language of the brief. */
  readonly say?: Say | undefined;
};

/** By what the output of a phase is judged, in words, one text for each gate; what was cleared away since cannot be told. */
export async function gateRules(phase: Phase, around: Noting): Promise<string[]> {
  try {
    return gateWords(phase, await gateNotes(phase, around));
  } catch (error) {
    if (error instanceof HelixError) return gateWords(phase);
    throw error;
  }
}

/** What is known of each gate of a phase beside its settings: what its checks ask, what an ADR needs, what failed before anybody worked. */
export function gateNotes(phase: Phase, around: Noting): Promise<(readonly string[])[]> {
  return Promise.all(phase.gates.map((gate) => notesOf(gate, phase, around)));
}

async function notesOf(gate: Gate, phase: Phase, around: Noting): Promise<readonly string[]> {
  const { type, settings } = gate;
  if (type === 'tests_pass') return [...failingBefore(gate, phase, around), ...showingFiles(phase, around)];
  if (type === 'custom') return refusingBefore(gate, around);
  // What HELIX has found out itself nobody is asked.
  if (type === 'verification') return checksOf({ type, settled: settledIn(phase).map(({ check }) => check) }, around);
  if (type === 'approval') {
    const checks = Array.isArray(settings.checks) ? { checks: settings.checks.map(String) } : {};
    return checksOf({ type: String(settings.approval_type), ...checks }, around);
  }
  if (type === PLAN_GATE) return planNotes(phase, around);
  if (type === 'adr_complete' || type === 'adr_valid') return adrNotes(gate, phase, around);
  return [];
}

/** Whoever writes a plan must know what it may use without a human being asked. */
function planNotes(phase: Phase, { state: { plan }, say = inEnglish }: Noting): string[] {
  const written = plan.phases.flatMap(({ gates }) => gates.flatMap(({ settings }) => commandIn(settings.command)));
  const commands = [...new Set(written)].map(code).join(', ');
  return [
    say(
      'It is a map with {phases}, a list of maps with {needed} and, where they apply, {more}. {type} is one of {types}.',
      {
        ...{ phases: code('phases'), needed: code('id, type, description'), type: code('type') },
        more: code('output, input, depends_on, quality_gate: [{ type, command, files }]'),
        types: PHASE_TYPES.map(code).join(', '),
      },
    ),
    ...templateNotes(phase, plan, say),
    commands === ''
      ? say('It names no command: nobody has allowed any for this run.')
      : say('Of commands it may name these; about any other one a human is asked first: {commands}.', { commands }),
    say(
      'What reviews, approvals and gates there are in the plan stays; a phase that has begun stays, too, under its id.',
    ),
    say('It says nothing of budget, agents and workspace: those are as the run began with.'),
  ];
}

/** What a phase may leave out, because it is filled in. */
function templateNotes({ generatesPhases, phaseConfig = {} }: Phase, plan: Plan, say: Say): string[] {
  const { maxPhases, phaseTemplate: template = plan.dynamicPhaseTemplate } = phaseConfig;
  if (!generatesPhases) return [];
  return [
    ...(maxPhases === undefined ? [] : [say('There are at most {count} of them.', { count: maxPhases })]),
    ...(typeof template !== 'object'
      ? []
      : [say('What a phase leaves out is taken from {template}.', { template: code(JSON.stringify(template)) })]),
  ];
}

function commandIn(command: unknown): string[] {
  if (command === undefined) return [];
  return [typeof command === 'string' ? command : JSON.stringify(command)];
}

function failingBefore(gate: Gate, { id }: Phase, { ports, state, say = inEnglish }: Noting): string[] {
  const before = testsBefore({ gate, phase: id }, state, ports.gates);
  if (before === undefined) return brokenBefore(gate, { ports, state, say });
  const { failed } = before;
  if (failed.length === 0) return [];
  const more = failed.length > SHOWN ? ` ${say('and {count} more', { count: failed.length - SHOWN })}` : '';
  const tests = `${failed.slice(0, SHOWN).map(code).join(', ')}${more}`;
  return gate.settings.baseline === true
    ? [
        say('Not yours, and they do not count: these tests failed before anybody worked on this phase: {tests}.', {
          tests,
        }),
      ]
    : [say('These tests failed before anybody worked on this phase. They count all the same: {tests}.', { tests })];
}

/** A test that shows a bug is not for who mends it to change. */
function showingFiles({ id }: Phase, { state, say = inEnglish }: Noting): string[] {
  const files = reproducedBefore(id, state);
  if (files === undefined) return [];
  const more = files.length > SHOWN ? ` ${say('and {count} more', { count: files.length - SHOWN })}` : '';
  return [
    say('These files show the bug. They stay as they are, and what fails in them now has to pass: {files}.', {
      files: `${files.slice(0, SHOWN).map(code).join(', ')}${more}`,
    }),
  ];
}

/** Most gates of the user's own refuse a tree that nobody has worked on: then this is what the work has to change. */
function refusingBefore(gate: Gate, { ports, state, say = inEnglish }: Noting): string[] {
  return hasFailed(gate, { ports, state })
    ? [say('Before anybody worked this command failed. With your work it must pass.')]
    : [];
}

function hasFailed(gate: Gate, { ports, state }: Pick<Noting, 'ports' | 'state'>): boolean {
  const command = commandKey(gate, ports.gates);
  return command !== undefined && state.tried.some((tried) => tried.command === command && tried.outcome !== 'pass');
}

/** A runner whose output cannot be read says only that something fails. */
function brokenBefore(gate: Gate, { ports, state, say = inEnglish }: Noting): string[] {
  if (!hasFailed(gate, { ports, state }) || gate.settings.command === undefined) return [];
  return [
    say(
      'Before anybody worked this command failed, too; which tests did could not be read. It must pass all the same.',
    ),
  ];
}

type Asked = {
  readonly type: string;
  readonly checks?: readonly string[];
  readonly settled?: readonly (string | undefined)[];
};

async function checksOf({ settled = [], ...asked }: Asked, { ports, state }: Noting): Promise<string[]> {
  const { guidelines, plan } = state;
  const own = guidelines === undefined ? {} : treeSource(await ports.workspace.tree(guidelines), plan.workspace);
  try {
    const { checks } = await readAsked(asked, { ...projectSource(ports), ...own });
    return checks
      .filter(({ id }) => !settled.includes(id))
      .slice(0, SHOWN)
      .map(checkLine);
  } catch (error) {
    // What is wrong with a definition is said where a judge is asked.
    if (error instanceof HelixError && error.code === 'config') return [];
    throw error;
  }
}

/** A check by its name and the first paragraph of its text, which says what it asks. */
function checkLine({ id, text }: Check): string {
  const [about = ''] = text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/^#.*$/gm, '').trim())
    .filter((paragraph) => paragraph !== '');
  return `${code(id)}: ${oneLine(about, 200)}`;
}

async function adrNotes(gate: Gate, phase: Phase, around: Noting): Promise<string[]> {
  const { ports, state, say = inEnglish } = around;
  const [{ adrRules }, { adrWords, coverageWords }, { profileBeside, rulesSource }] = await Promise.all([
    import('../../gates/adr/adr-rules.ts'),
    import('../../gates/adr/adr-words.ts'),
    import('../../gates/adr/adr-surroundings.ts'),
  ]);
  const { file, rules: named, semantic, concept } = gate.settings;
  const id = state.phases.get(phase.id)?.baseTree ?? state.tip?.tree ?? state.guidelines;
  if (id === undefined) return [];
  const base = await ports.workspace.tree(id);
  const { project, shippedConfig } = ports;
  const source = rulesSource({ ...gateTexts(project, state.plan.workspace, base), shippedConfig });
  const rules = await adrRules(source, typeof named === 'string' ? named : undefined);
  if ('message' in rules) return [];
  const path = typeof file === 'string' ? file : (phase.output.files.find((each) => each.endsWith('.md')) ?? 'adr.md');
  const words = [
    ...adrWords(rules, await profileBeside(path, { base }), say),
    ...(concept === undefined ? [] : [coverageWords(rules, say)]),
  ];
  const wanted = gate.type === 'adr_valid' ? 'false' : String(semantic ?? 'auto');
  if (wanted === 'false') return words;
  const checks = (await checksOf({ type: 'adr' }, around)).join(' ');
  const always = wanted === 'true' || concept !== undefined;
  const judge = always
    ? say('Then an independent judge answers these checks: {checks}', { checks })
    : say('Where `change_scope` is major, an independent judge answers these checks: {checks}', { checks });
  return [...words, judge];
}
