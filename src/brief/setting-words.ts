import type { Expert } from '../domain/kinds/experts-file.ts';
import type { PhaseConfig } from '../domain/plan/plan.ts';
import { isWebSearch } from '../domain/plan/web-search.ts';
import { oneLine } from '../text/sanitise.ts';
import { inEnglish, phrase, type Say } from '../text/say.ts';

type ListSetting = 'experts' | 'skills' | 'doc_types' | 'test_types' | 'tools';
type TextSetting = 'focus' | 'review_scope' | 'template';

/** The settings of a phase as its brief says them. */
export type SettingWords = Readonly<Record<ListSetting, readonly string[]>> &
  Readonly<Record<TextSetting, string | null>> & {
    /** How many questions it may leave open. */
    readonly max_questions: string | null;
  };

type About = {
  /** Whom the plan describes. */
  readonly experts?: readonly Expert[] | undefined;
  /** What the agent has to read and search files with. */
  readonly readers?: readonly string[] | undefined;
  /** It can search the web, or cannot; undefined where that is not known. */
  readonly web?: boolean | undefined;
  readonly say?: Say;
};

const DOC_TYPES: Readonly<Record<string, string>> = {
  api: phrase('api (each name that others may call: arguments, errors, an example)'),
  user: phrase('user (how to get things done, step by step, for people who do not read the code)'),
  architecture: phrase('architecture (the parts, who knows of whom, and why it is so)'),
};

const TEST_TYPES: Readonly<Record<string, string>> = {
  unit: phrase('unit (one part alone, with nothing from outside of the process)'),
  integration: phrase('integration (several real parts together, at the seams between them)'),
  e2e: phrase('e2e (the whole from outside, as somebody uses it)'),
  regression: phrase('regression (what was right before, and what was mended, stays so)'),
};

/** What the settings of a phase say to its agent; what is still `auto` says nothing. */
export function settingWords(
  config: PhaseConfig,
  { experts = [], readers = [], web, say = inEnglish }: About,
): SettingWords {
  const list = (name: ListSetting) => (config[name] ?? []).filter((value) => value !== 'auto');
  const plain = (name: ListSetting) => list(name).map((value) => oneLine(value, 200));
  const known = (words: Readonly<Record<string, string>>) => (value: string) =>
    Object.hasOwn(words, value) ? say(words[value] ?? value) : oneLine(value, 200);
  const text = (name: TextSetting) =>
    config[name] === undefined || config[name] === 'auto' ? null : oneLine(config[name], 2000);
  return {
    experts: list('experts').map((id) => expertWords(id, experts)),
    skills: plain('skills'),
    doc_types: list('doc_types').map(known(DOC_TYPES)),
    test_types: list('test_types').map(known(TEST_TYPES)),
    tools: list('tools')
      // What it does not have is told where it is told what it has.
      .filter((tool) => web !== false || !isWebSearch(tool))
      .map((tool) => toolWords(tool, readers, say)),
    focus: text('focus'),
    review_scope: text('review_scope'),
    template: text('template'),
    max_questions: config.max_iterations === undefined ? null : String(config.max_iterations),
  };
}

function expertWords(id: string, experts: readonly Expert[]): string {
  const known = experts.find((expert) => expert.id === id);
  if (known === undefined || known.description.trim() === '') return oneLine(known?.name ?? id, 200);
  return `${oneLine(known.name, 200)}: ${oneLine(known.description, 2000)}`;
}

/** What an agent is to use by a name of HELIX's is told by the names of what it has. */
function toolWords(tool: string, readers: readonly string[], say: Say): string {
  if (tool !== 'file_analysis') return oneLine(tool, 200);
  return readers.length === 0
    ? say('file_analysis (read and search the files themselves, with what you have for it)')
    : say('file_analysis (read and search the files themselves, with {tools})', { tools: readers.join(', ') });
}
