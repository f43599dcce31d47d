import { type Size, SPLIT_FILE } from '../domain/facts/change-size.ts';
import type { Changes } from '../domain/facts/consultation.ts';
import type { InputFile } from '../domain/facts/run-event.ts';
import type { Return, SpecChange } from '../domain/facts/run-state.ts';
import { typeName } from '../domain/kinds/phase-types-file.ts';
import type { Progress } from '../domain/ladder/convergence.ts';
import { specChangeLines } from '../domain/ladder/spec-changes.ts';
import { isReview } from '../domain/plan/judging-phase.ts';
import type { Phase, Plan } from '../domain/plan/plan.ts';
import { PROTECTED } from '../domain/plan/protected.ts';
import { REQUEST_BYTES } from '../domain/request-limit.ts';
import type { Verdict } from '../domain/verdict.ts';
import { oneLine, sanitise } from '../text/sanitise.ts';
import { inEnglish, type Say } from '../text/say.ts';
import type { Conventions } from './conventions.ts';
import { quoteFindings } from './feedback.ts';
import { expectedReview, gateWords } from './gate-words.ts';
import { wordsBeside } from './objection.ts';
import { ownerText } from './owner-text.ts';
import { type PlanPlace, planPlace } from './plan-place.ts';
import { bounded, code, quote } from './quote.ts';
import { type SettingWords, settingWords } from './setting-words.ts';
import { type SpecNow, type SpecPart, specPart } from './spec-part.ts';
import { matterOf, taskSentence } from './task-sentence.ts';
import { type ToldReturn, whyBack } from './why-back.ts';

const MAX_DESCRIPTION = 16 * 1024;
const MAX_GUIDANCE = 24 * 1024;
const MAX_HINTS = 16 * 1024;
const MAX_HINT = 2000;
const MAX_PATHS = 500;
const MAX_CHANGED = 40;

/**
 * What a template can say, by the names it uses. Every text is ready for Markdown: sanitised, bounded, and quoted
 * where others wrote it. What is not there is null or an empty list, so that a template can ask for it.
 */
export type BriefFacts = {
  /** Its description is quoted: it comes with the plan, and is not what the user asked for. */
  readonly project: { readonly name: string; readonly type: string; readonly description: string | null };
  /** What the user asked for, quoted. */
  readonly request: string | null;
  /** The description of the phase, or a sentence made for it: `task` is never empty. */
  readonly phase: Readonly<Record<'id' | 'name' | 'type' | 'task', string>> & {
    readonly description: string | null;
    /** What the project says of its type, where it has added it. */
    readonly kind: string | null;
  };
  /** What comes before and after it, where it is not alone. */
  readonly place: PlanPlace;
  /** The specification as it stands now. */
  readonly spec: SpecPart | null;
  /** In a repository: what earlier phases of this run changed, and how to see it. */
  readonly earlier: {
    readonly files: readonly string[];
    readonly left_out: number;
    readonly show: string | null;
  } | null;
  /** What this attempt may use, in words. */
  readonly limits: string | null;
  /** The language to write in, by its name and its code. */
  readonly language: string | null;
  /** Whether it can search the web, in words, where it is to look things up. */
  readonly web: string | null;
  /** The languages of the project, where they were looked for. */
  readonly stack: string | null;
  readonly config: SettingWords;
  /** Something of `config` is there. */
  readonly has_settings: boolean;
  /** The working directory is a copy of the user's repository. */
  readonly in_repository: boolean;
  /** It is told in another place what earlier phases changed. */
  readonly is_review: boolean;
  /** The read-only copy that a reviewer reads who answers as a judge and writes nothing. */
  readonly reading: string | null;
  /** The folder of that copy in which the project lies, where the work lies beside it. */
  readonly around: string | null;
  /** The paths that the plan protects beside those of HELIX. */
  readonly protected: string | null;
  /** The directory of the repository that is worked on, and the plan's own below it, where a plan lies elsewhere than the work. */
  readonly root: string | null;
  readonly plan_folder: string | null;
  readonly attempt: { readonly number: number; readonly max: number };
  readonly inputs: readonly { readonly path: string; readonly origin: string }[];
  readonly inputs_left_out: number;
  readonly outputs: { readonly directory: string; readonly files: readonly string[]; readonly review: string | null };
  readonly gates: readonly string[];
  /** What the project's owner wrote for agents, as it was before the run. */
  readonly conventions: Conventions & Required<Pick<Conventions, 'shipped'>>;
  /** Something of `conventions` is there. */
  readonly has_conventions: boolean;
  readonly feedback: {
    readonly findings: string | null;
    readonly guidance: string | null;
    /** What a rejected approval said when it sent the work back. */
    readonly rejection: string | null;
    /** Why the phase is done again, where others wanted that. */
    readonly returned: string | null;
    /** The file of the verifier's feedback, where there is one. */
    readonly file: string | null;
  };
  /** Where it may say that the request is too large for one change, and above which size that is. */
  readonly split: { readonly file: string; readonly files: number; readonly lines: number } | null;
  /** What came of a meeting that HELIX held, ready for Markdown; null where none was. */
  readonly meeting: string | null;
  /** What a consultant gave the next attempts to go on with, quoted. */
  readonly consultant: { readonly hints: string | null; readonly spec: string | null };
  /** The text for this kind of phase, rendered first and put into the skeleton. */
  readonly role: string;
};

/** What the facts of a brief are made of. */
export type BriefSource = {
  readonly plan: Pick<Plan, 'project' | 'workspace' | 'phases'> & Partial<Pick<Plan, 'protected' | 'experts'>>;
  readonly phase: Phase;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly inputs: readonly InputFile[];
  readonly verdicts: readonly Verdict[];
  readonly guidance: readonly string[];
  readonly progress?: Progress;
  readonly rejection?: string | undefined;
  readonly feedbackFile?: string | undefined;
  readonly reading?: string | undefined;
  readonly around?: string | undefined;
  readonly request?: string | undefined;
  readonly changes?: Changes | undefined;
  readonly meeting?: string | undefined;
  readonly specChanges?: readonly SpecChange[];
  readonly returns?: readonly Return[] | undefined;
  readonly conventions?: Conventions;
  readonly spec?: SpecNow | undefined;
  readonly earlier?: EarlierWork | undefined;
  readonly limits?: Limits | undefined;
  /** What one change should come to at most, where its agent may say that the request is too large for that. */
  readonly growth?: Size | undefined;
  readonly language?: string | undefined;
  /** It can search the web, or cannot; undefined where nobody wants it to. */
  readonly web?: boolean | undefined;
  /** The languages of the project, where they were looked for. */
  readonly languages?: readonly string[] | undefined;
  /** What the agent has to read and search files with, as far as that is known. */
  readonly readers?: readonly string[];
  /** Says HELIX's own sentences in the language of the brief. */
  readonly say?: Say | undefined;
  /** What is known of each gate of the phase, ready for Markdown. */
  readonly gateNotes?: readonly (readonly string[])[] | undefined;
};

/** What the phases before changed in a repository: the files, and between which commits; the second one is HEAD where an attempt starts. */
export type EarlierWork = {
  readonly files: readonly string[];
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** What an attempt may use up. */
type Limits = { readonly usd?: number | undefined; readonly ms?: number | undefined };

const NOWHERE: PlanPlace = { before: [], after: [] };

/** The facts of one attempt's brief. */
export function briefFacts(source: BriefSource): BriefFacts {
  const { plan, phase, inputs, say = inEnglish } = source;
  const request = source.request?.trim() ?? '';
  const written = prose([phase.description, phase.config.description]);
  // Markdown of a task stays Markdown, but nothing in it poses as another section, such as what the user asked for.
  const description = written === null ? null : ownerText(written);
  const about = prose([plan.project.description]);
  const review = expectedReview(phase);
  const config = settingWords(phase.config, { experts: plan.experts, readers: source.readers, web: source.web, say });
  const spec = source.spec === undefined ? null : specPart(source.spec, say);
  const conventions = conventionsIn(source.conventions ?? { texts: [], more: [] }, say);
  return {
    project: {
      name: oneLine(plan.project.name),
      type: oneLine(plan.project.type),
      description: about === null ? null : quote(about),
    },
    request: request === '' ? null : quote(bounded(request, REQUEST_BYTES)),
    phase: {
      id: phase.id,
      name: oneLine(phase.name),
      type: typeName(phase),
      kind: phase.ownType?.description === undefined ? null : ownerText(phase.ownType.description),
      description,
      task: description ?? taskSentence(phase, matterOf({ request, plan }), say),
    },
    place: isReview(phase) ? NOWHERE : planPlace({ phase, plan, inputs }, say),
    spec,
    earlier: earlierWork(source.earlier ?? { files: [] }),
    limits: limits(source.limits ?? {}, say),
    language: source.language === undefined ? null : languageName(source.language, say),
    web: webWords(source.web, say),
    stack: source.languages?.map((name) => oneLine(name, 60)).join(', ') || null,
    config,
    has_settings: Object.values(config).some((setting) => (setting?.length ?? 0) > 0),
    in_repository: plan.workspace.mode === 'repo',
    is_review: isReview(phase),
    reading: source.reading === undefined ? null : code(source.reading),
    around: source.around === undefined ? null : code(source.around),
    protected: protectedPaths(plan, say),
    ...placeOf(plan.workspace),
    attempt: { number: source.attempt, max: Math.max(source.attempt, source.maxAttempts) },
    inputs: inputs.slice(0, MAX_PATHS).map((input) => ({ path: code(input.path), origin: origin(input, say) })),
    inputs_left_out: Math.max(0, inputs.length - MAX_PATHS),
    outputs: {
      directory: code(phase.output.directory),
      files: phase.output.files
        .filter((file) => file !== review)
        .slice(0, MAX_PATHS)
        .map(code),
      review: review === undefined ? null : code(review),
    },
    gates: gateWords(phase, source.gateNotes, say),
    conventions,
    has_conventions: conventions.texts.length + conventions.more.length > 0,
    feedback: {
      findings: quoteFindings(source.verdicts, source.progress, say),
      guidance: guide(source.guidance),
      rejection:
        source.rejection === undefined
          ? null
          : quote(bounded(wordsBeside(source.rejection, source.verdicts, say), MAX_DESCRIPTION)),
      returned: whyBack(phase.id, unlisted(source.returns ?? [], source.verdicts), say),
      file: source.feedbackFile === undefined ? null : code(source.feedbackFile),
    },
    split: source.growth === undefined ? null : { file: code(SPLIT_FILE), ...source.growth },
    meeting: source.meeting ?? null,
    consultant: {
      hints: listed(source.changes?.hints ?? [], say),
      spec: listed(specChangeLines(unsaid(source.specChanges ?? [], source.spec, spec)), say),
    },
    role: '',
  };
}

/** Why work came back, without what is listed as found in it anyway: a verdict of which nothing is left stands above, too. */
function unlisted(returns: readonly Return[], verdicts: readonly Verdict[]): ToldReturn[] {
  const listed = new Set(verdicts.flatMap(({ findings }) => findings).flatMap(({ fingerprint }) => fingerprint ?? []));
  return returns.map((why) => {
    const left = why.verdicts.map((verdict) => ({
      ...verdict,
      findings: verdict.findings.filter(({ fingerprint }) => fingerprint === undefined || !listed.has(fingerprint)),
    }));
    const kept = left.filter(({ findings }, at) => findings.length > 0 || why.verdicts[at]?.findings.length === 0);
    return { ...why, verdicts: kept, ...(kept.length < left.length && { listed: true }) };
  });
}

/** The changes that cannot be read from the specification as the brief has it: what stands there is not said twice. */
function unsaid(changes: readonly SpecChange[], now: SpecNow | undefined, told: SpecPart | null): SpecChange[] {
  if (now === undefined || told === null) return [...changes];
  // A change whose words are not in the whole text was itself replaced by a later one.
  if (now.readable !== false && told.text.includes(sanitise(now.text.trim()))) return [];
  const isRead = (words: string) => told.text.includes(sanitise(words));
  return changes.filter((change) => {
    const words = 'adds' in change ? change.adds : [change.instead].flat();
    return words.length === 0 || !words.every(isRead);
  });
}

function protectedPaths({ protected: globs = [] }: BriefSource['plan'], say: Say): string | null {
  const own = globs.filter((glob) => !PROTECTED.includes(glob));
  if (own.length === 0) return null;
  const more = own.length > MAX_CHANGED ? ` ${say('and {count} more', { count: own.length - MAX_CHANGED })}` : '';
  return `${own.slice(0, MAX_CHANGED).map(code).join(', ')}${more}`;
}

/** The top of the repository needs no name, and what lies outside the work cannot be taken for a part of it. */
function placeOf({ root, home = '' }: Plan['workspace']): Pick<BriefFacts, 'root' | 'plan_folder'> {
  return {
    root: root === undefined || root === '.' ? null : code(root),
    plan_folder: home === '' || home.startsWith('..') ? null : code(home),
  };
}

function earlierWork({ files, from, to }: EarlierWork): BriefFacts['earlier'] {
  return {
    files: files.slice(0, MAX_CHANGED).map(code),
    left_out: Math.max(0, files.length - MAX_CHANGED),
    show: from === undefined || to === undefined ? null : code(`git diff ${from.slice(0, 12)} HEAD`),
  };
}

const MINUTE = 60_000;

function limits({ usd, ms }: Limits, say: Say): string | null {
  const minutes = ms === undefined ? undefined : Math.max(1, Math.round(ms / MINUTE));
  const parts = [
    ...(usd === undefined ? [] : [`${usd.toFixed(2)} USD`]),
    ...(minutes === undefined ? [] : [minutes === 1 ? say('1 minute') : say('{count} minutes', { count: minutes })]),
  ];
  return parts.length === 0 ? null : parts.join(` ${say('and')} `);
}

function webWords(web: boolean | undefined, say: Say): string | null {
  if (web === undefined) return null;
  return web
    ? say('You can search the web. Not every page can be opened: then go by what the search shows of it, and say so.')
    : say(
        'HELIX gives you no web search. Go by the files you have and by what you know, and say of every fact which of the two it comes from.',
      );
}

/** The translations themselves say which language they are in. */
function languageName(tag: string, say: Say): string {
  try {
    const name = new Intl.DisplayNames([say('en')], { type: 'language' }).of(tag);
    return name === undefined || name === tag ? code(tag) : `${name} (${code(tag)})`;
  } catch {
    return code(tag);
  }
}

function prose(texts: readonly (string | undefined)[]): string | null {
  const text = [...new Set(texts.flatMap((part) => part?.trim() || []))].join('\n\n');
  return text === '' ? null : bounded(text, MAX_DESCRIPTION);
}

function origin({ path, from }: InputFile, say: Say): string {
  const source = from.phase === undefined ? say('from the project') : say('from phase {phase}', { phase: from.phase });
  return from.path === path ? source : `${source}, ${say('there {path}', { path: code(from.path) })}`;
}

/** What was said of conventions without words of their owner is HELIX's to say. */
function conventionsIn({ more, shipped = [], ...conventions }: Conventions, say: Say): BriefFacts['conventions'] {
  return { ...conventions, shipped, more: more.map((each) => ({ ...each, about: say(each.about) })) };
}

/** One line for each, so that none can pose as another; where there is not room for all, the last ones and how many are missing. */
function listed(texts: readonly string[], say: Say): string | null {
  const lines = texts.map((text) => `- ${oneLine(text, MAX_HINT)}`);
  while (lines.length > 0 && lines.join('\n').length > MAX_HINTS) lines.shift();
  const missing = texts.length - lines.length;
  if (missing > 0) lines.unshift(say('[{count} more left out: there is no room for all]', { count: missing }));
  return lines.length === 0 ? null : quote(lines.join('\n'));
}

/** The newest words of the human, as many as fit; the older ones have had their attempt. */
function guide(guidance: readonly string[]): string | null {
  const kept: string[] = [];
  let left = MAX_GUIDANCE;
  for (const text of guidance.toReversed()) {
    if (text.trim() === '' || left <= 0) continue;
    kept.unshift(bounded(text.trim(), left));
    left -= text.length;
  }
  return kept.length === 0 ? null : quote(kept.join('\n\n'));
}
