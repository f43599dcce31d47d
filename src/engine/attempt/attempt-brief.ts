import { posix } from 'node:path';
import { type BriefFacts, type BriefSource, briefFacts } from '../../brief/brief-facts.ts';
import type { Conventions } from '../../brief/conventions.ts';
import { answeredByHuman, learnedSection, meetingSection } from '../../brief/meeting-section.ts';
import { type BriefTemplates, briefTemplates, renderPhaseBrief } from '../../brief/render-brief.ts';
import { type ReviewMaterial, reviewSection } from '../../brief/review-section.ts';
import { type MeetingState, NO_MEETING } from '../../domain/facts/meeting.ts';
import type { InputFile } from '../../domain/facts/run-event.ts';
import type { PhaseState, RunState } from '../../domain/facts/run-state.ts';
import { reservation } from '../../domain/ladder/budget.ts';
import { ANY_SIZE } from '../../domain/ladder/growth.ts';
import { holdsMeeting, isMeeting, isUnheard } from '../../domain/ladder/meeting.ts';
import { CAPABILITIES } from '../../domain/plan/driver.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { wantsWeb } from '../../domain/plan/web-search.ts';
import { present } from '../../domain/present.ts';
import { inEnglish, type Say, translateLines } from '../../text/say.ts';
import { lastAttempt, setupOf } from '../step/changed-phase.ts';
import type { EnginePorts } from '../step/engine-ports.ts';
import { readSpec, readSpecForJudge } from '../step/read-spec.ts';
import { gateNotes } from '../words/gate-notes.ts';
import { sayIn } from '../words/say-in.ts';
import { maySplit } from '../words/split-proposal.ts';
import { earlierWork } from './earlier-work.ts';

type Template = (name: string) => Promise<string | undefined>;
type Ports = Pick<
  EnginePorts,
  'workspace' | 'project' | 'gates' | 'shippedConfig' | 'shippedApproval' | 'shippedTemplate' | 'template'
>;
type Attempt = {
  readonly state: RunState;
  readonly phase: Phase;
  readonly attempt: number;
  readonly inputs: readonly InputFile[];
  readonly conventions: Conventions;
  /** In a repository: the commit it builds on. */
  readonly base?: string | undefined;
  /** What a review is about. */
  readonly reviewed?: ReviewMaterial | undefined;
  /** Where a reviewer reads that answers as a judge. */
  readonly reading?: { readonly dir: string; readonly project?: string } | undefined;
  /** The languages of the project, where they were looked for. */
  readonly languages?: readonly string[] | undefined;
  /** Where the verifier's feedback lies for the agent. */
  readonly feedbackFile?: string | undefined;
};

/** What the agent of an attempt is told. */
export async function renderAttempt(attempt: Attempt, ports: Ports): Promise<string> {
  return (await composeBrief(await attemptSource(attempt, ports), ports.template, attempt.reviewed)).text;
}

/** The text of a brief, and the templates it was made with. */
export async function composeBrief(
  source: BriefSource,
  template: Template,
  reviewed?: ReviewMaterial,
): Promise<{ readonly text: string; readonly templates: BriefTemplates }> {
  const { templates, facts } = await compose(source, template);
  const about = reviewed === undefined ? undefined : reviewSection(reviewed, source.say);
  return { text: await renderPhaseBrief(templates, facts, about), templates };
}

/** All that the brief of an attempt is made of. */
export async function attemptSource(attempt: Attempt, ports: Ports): Promise<BriefSource> {
  const { state, phase, inputs, conventions, feedbackFile, reading, languages } = attempt;
  const at = state.phases.get(phase.id);
  const { skills, agent } = setupOf(phase, state);
  const driver = state.agents[agent]?.driver;
  const web = wantsWeb(phase) ? driver !== undefined && CAPABILITIES[driver].web : undefined;
  const meeting = holdsMeeting(phase, at, state) ? (at?.history.meeting ?? NO_MEETING) : undefined;
  const config = { ...phase.config, ...(skills.length > 0 && { skills: [...skills] }) };
  const changed = { ...phase, config: meeting === undefined ? config : withoutHearing(config) };
  const { reserved: usd, reservedMs: ms } = reservation(phase, state);
  const { request, language } = state;
  const say = sayIn(language, ports);
  const told = attempt.reviewed === undefined ? await asCreator(attempt, ports) : asReviewer(at);
  // Whoever writes down what was answered is told so as a decision, and not once more as a change.
  const specChanges = meeting === undefined ? state.specChanges : state.specChanges.filter(isUnheard(meeting));
  return {
    ...{ plan: state.plan, phase: changed, inputs, conventions, request, language, say, web },
    ...{ languages, readers: driver === undefined ? [] : CAPABILITIES[driver].judgeTools },
    ...{ feedbackFile, reading: reading?.dir, around: reading?.project, specChanges, limits: { usd, ms } },
    ...told,
    ...present({ meeting: meetingWords(phase, meeting, { state, say }) }),
    ...(meeting !== undefined && {
      guidance: [...answeredByHuman(meeting, say), ...told.guidance],
    }),
    ...(maySplit(phase, at, state) && { growth: at?.rulings.room ?? state.growth }),
    spec: await specOf(attempt, ports),
    gateNotes: await gateNotes(phase, { ports, state, say }),
  };
}

/** What came of a meeting and of an earlier try, for whoever makes a plan of it. */
function meetingWords(
  phase: Phase,
  meeting: MeetingState | undefined,
  { state: { learned }, say }: { readonly state: RunState; readonly say: Say },
): string | undefined {
  const words = [
    ...(learned === undefined || !isMeeting(phase) ? [] : [learnedSection(learned, say)]),
    ...(meeting === undefined ? [] : [meetingSection(meeting, say)]),
  ].filter((part) => part !== undefined);
  return words.length === 0 ? undefined : words.join('\n\n');
}

/** What a meeting has done already is nothing that its agent should do once more in its head. */
function withoutHearing({ experts: _heard, max_iterations: _asked, ...config }: Phase['config']): Phase['config'] {
  return config;
}

type Standing = Pick<
  BriefSource,
  'attempt' | 'maxAttempts' | 'earlier' | 'verdicts' | 'rejection' | 'returns' | 'progress' | 'guidance' | 'changes'
>;

async function asCreator({ state, phase, attempt, base }: Attempt, ports: Ports): Promise<Standing> {
  const at = state.phases.get(phase.id);
  const progress = at && { seen: at.rung.seen, mended: at.mended, unasked: at.unasked };
  const { guidance = [], changes } = at?.history ?? {};
  return {
    ...{
      guidance: [...roomGiven(at, sayIn(state.language, ports)), ...guidance],
      changes,
      attempt,
      maxAttempts: lastAttempt(phase, at, state),
    },
    ...{ verdicts: at?.lastVerdicts ?? [], rejection: at?.feedback, returns: at?.returns, ...present({ progress }) },
    earlier: await earlierWork(base, { workspace: ports.workspace, state }),
  };
}

/** What a human answered to the question of the size; who wants the whole in one change has said so in words. */
function roomGiven(at: PhaseState | undefined, say: Say): string[] {
  const { room } = at?.rulings ?? {};
  if (room === undefined || room.files === ANY_SIZE.files) return [];
  const { files, lines } = room;
  return [
    say(
      'Your change is larger than one should be. A human was asked about that and lets it become as large as {files} files and {lines} lines: finish it, its size is nothing to mend.',
      { files, lines },
    ),
  ];
}

/**
 * A reviewer is told what it did not deliver, and never what was found in the work before, what a human commented or a consultant
 * hinted; how often others have read it is nothing it should go by.
 */
function asReviewer(at: PhaseState | undefined): Standing {
  return {
    ...{ attempt: 1, maxAttempts: 1, guidance: [] },
    verdicts: at?.current?.authors === undefined ? (at?.lastVerdicts ?? []) : [],
  };
}

const SPEC_FILE = 'spec.yaml';

/**
 * The specification as it stands now, and its file where the agent can read it; who is to write it is not told its own draft, and a
 * reviewer not what the author of the work made of it.
 */
async function specOf({ phase, state, inputs, reviewed }: Attempt, ports: Ports): Promise<BriefSource['spec']> {
  const isSpec = (path: string) => posix.basename(path) === SPEC_FILE;
  if (phase.output.files.some(isSpec)) return undefined;
  const read = reviewed === undefined ? readSpec : readSpecForJudge;
  const { now, text } = await read(phase, { ports, state });
  if (text === undefined) return undefined;
  const declared = new Set([SPEC_FILE, ...state.plan.phases.flatMap(({ output }) => output.files.filter(isSpec))]);
  const tree = state.tip === undefined ? undefined : await ports.workspace.tree(state.tip.tree);
  const path =
    inputs.find((input) => isSpec(input.path))?.path ?? tree?.files.find((file) => declared.has(file.path))?.path;
  return { text, path, changed: state.specChanges.length > 0, readable: now !== 'unreadable' };
}

/**
 * Renders every brief once before anything starts, with those of the project's own templates that `auto` may come to, so that a broken
 * template costs nothing; throws HelixError `config`.
 */
export async function checkBriefs(plan: Plan, template: Template, own: readonly string[] = []): Promise<void> {
  const rendered = new Set<string>();
  const [choosing] = plan.phases.filter(({ config }) => config.template === 'auto');
  const chosen = choosing === undefined ? [] : own.map((name) => withTemplate(choosing, name));
  for (const phase of [...plan.phases, ...chosen]) {
    const nothing = { attempt: 1, maxAttempts: 1, inputs: [], verdicts: [], guidance: [] };
    const brief = await compose({ plan, phase, ...nothing }, template);
    const likeness = likenessOf(brief);
    if (likeness !== undefined && rendered.has(likeness)) continue;
    await renderPhaseBrief(brief.templates, brief.facts);
    if (likeness !== undefined) rendered.add(likeness);
  }
}

function withTemplate(phase: Phase, name: string): Phase {
  return { ...phase, config: { ...phase.config, template: name } };
}

type Composed = { readonly templates: BriefTemplates; readonly facts: BriefFacts };

const COMPARES = /\{%[^%]*(?:==|!=|<|>\s*[^\s\d]|contains|case)/;

/** What decides whether a brief can be rendered: its templates, and what is there; a template that compares texts is its own case. */
function likenessOf({ templates: { skeleton, role }, facts }: Composed): string | undefined {
  const texts = [skeleton, role].flatMap(({ text, parts = {} }) => [text, ...Object.values(parts)]);
  if (texts.some((text) => COMPARES.test(text))) return undefined;
  return `${role.path} ${JSON.stringify(facts, (_key, value) => (typeof value === 'string' ? value !== '' : value))}`;
}

async function compose(source: BriefSource, template: Template): Promise<Composed> {
  const read = async (path: string) => {
    const text = await template(posix.relative('templates', path));
    const { say = inEnglish } = source;
    return text === undefined || say === inEnglish ? text : translateLines(text, say);
  };
  return { templates: await briefTemplates(source.phase, read), facts: briefFacts(source) };
}
