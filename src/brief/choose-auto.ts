import { chooseExperts, hasWord } from '../domain/kinds/choose-experts.ts';
import type { Expert } from '../domain/kinds/experts-file.ts';
import type { Phase, PhaseConfig } from '../domain/plan/plan.ts';
import { present } from '../domain/present.ts';
import { oneLine } from '../text/sanitise.ts';

/** What HELIX chooses by where a phase says `auto`. */
export type Known = {
  /** What the user asked for, and what the plan says of the project. */
  readonly request: string;
  readonly projectType: string;
  /** What spec.yaml says, where it says it. */
  readonly language?: string | undefined;
  readonly domain?: string | undefined;
  /** The languages that were found in the project. */
  readonly detected: readonly string[];
  readonly experts: readonly Expert[];
  /** The skills there are. */
  readonly skills: readonly string[];
  /** Those of `templateCandidates` that exist. */
  readonly templates: ReadonlySet<string>;
};

type Setting = 'template' | 'skills' | 'experts';

/** One thing that `auto` became, and why; without a name it became nothing. */
export type Choice = { readonly setting: Setting; readonly name?: string; readonly reason: string };

type Chosen = { readonly name: string; readonly reason: string };
type About = Pick<Known, 'projectType' | 'language' | 'detected'>;
type Asking = Pick<Phase, 'type' | 'config' | 'output' | 'description'>;

const MAX_SKILLS = 4;

/** Tells whether a phase leaves a choice to HELIX. */
export function leavesChoice({ config: { template, skills = [], experts = [] } }: Pick<Phase, 'config'>): boolean {
  return template === 'auto' || skills.includes('auto') || experts.includes('auto');
}

/** What every `auto` of a phase becomes. */
export function chooseAuto(phase: Asking, known: Known): Choice[] {
  const { template, skills = [], experts = [] } = phase.config;
  return [
    ...(template === 'auto' ? [chosenTemplate(phase, known)] : []),
    ...(skills.includes('auto') ? chosenSkills(phase, known) : []),
    ...(experts.includes('auto') ? chosenExperts(phase, known) : []),
  ];
}

/** A phase's settings with what was chosen where they said `auto`; what was named beside it stays. */
export function withChoices(config: PhaseConfig, choices: readonly Choice[]): PhaseConfig {
  const names = (wanted: Setting) => choices.flatMap(({ setting, name }) => (setting === wanted ? (name ?? []) : []));
  const list = (wanted: 'skills' | 'experts') => {
    const written = config[wanted];
    if (!written?.includes('auto')) return written;
    return [...new Set([...written, ...names(wanted)])].filter((name) => name !== 'auto');
  };
  const template = config.template === 'auto' ? names('template')[0] : config.template;
  return { ...config, ...present({ template, skills: list('skills'), experts: list('experts') }) };
}

/** The templates that could do for a phase, the best first; that of its type is always there. */
export function templateCandidates(phase: Asking, about: About): readonly Chosen[] {
  return [...fitting(phase, about), { name: `${phase.type}/default`, reason: withoutBetter(phase, about) }];
}

function fitting({ type, config, output }: Asking, about: About): Chosen[] {
  const { projectType } = about;
  if (type === 'review') {
    const { review_scope: scope } = config;
    const reason = scope === undefined ? 'a review is of code if it does not say what else' : 'by its review_scope';
    return [{ name: `reviewer/${scope ?? 'code'}`, reason }];
  }
  if (type === 'research') return [{ name: 'researcher/analysis', reason: 'it is research' }];
  if (type === 'documentation') return [documents(config, projectType)];
  if (type !== 'development' && type !== 'test' && type !== 'testing') return [];
  const texts = output.files.length > 0 && output.files.every((file) => file.endsWith('.md'));
  return [
    ...(texts ? [{ name: 'developer/markdown', reason: 'all it delivers is Markdown' }] : []),
    ...(type === 'development' && projectType === 'bugfix'
      ? [{ name: 'developer/bugfix', reason: 'the project is a bugfix' }]
      : []),
    ...languagesOf(about).map(({ name, reason }) => ({
      name: `developer/${name}${type === 'development' ? '' : '-tests'}`,
      reason,
    })),
  ];
}

function documents({ doc_types: types = [] }: PhaseConfig, projectType: string): Chosen {
  if (projectType === 'research') return { name: 'documentation/research-summary', reason: 'the project is research' };
  if (projectType === 'bugfix') return { name: 'documentation/bugfix-record', reason: 'the project is a bugfix' };
  return types.length === 1 && types[0] === 'user'
    ? { name: 'documentation/user', reason: 'its doc_types are for users only' }
    : { name: 'documentation/technical', reason: 'its doc_types are not for users only' };
}

function withoutBetter(phase: Asking, about: About): string {
  const tried = fitting(phase, about);
  if (tried.length > 0) return `${tried.map(({ name, reason }) => `${reason}, but there is no ${name}`).join('; ')}`;
  const byLanguage = phase.type === 'development' || phase.type === 'test' || phase.type === 'testing';
  return byLanguage ? 'neither spec.yaml nor the files of the project name a language' : 'by its type';
}

const SAME_LANGUAGE: Readonly<Record<string, string>> = {
  ...{ py: 'python', python3: 'python', ts: 'typescript', tsx: 'typescript', js: 'javascript', node: 'javascript' },
  ...{ md: 'markdown', golang: 'go', rs: 'rust' },
};

/** The language of the specification goes before all that was found. */
function languagesOf({ language, detected }: Pick<About, 'language' | 'detected'>): Chosen[] {
  const plain = (name: string) => {
    const word =
      oneLine(name, 60)
        .toLowerCase()
        .split(/[\s,;/]+/)[0] ?? '';
    return Object.hasOwn(SAME_LANGUAGE, word) ? (SAME_LANGUAGE[word] ?? word) : word;
  };
  if (language !== undefined && language.trim() !== '') {
    const name = plain(language);
    return [{ name, reason: `spec.yaml says language: ${name}` }];
  }
  return detected.map((name) => ({ name: plain(name), reason: `the project has ${plain(name)}` }));
}

function chosenTemplate(phase: Asking, known: Known): Choice {
  const candidates = templateCandidates(phase, known);
  const found = candidates.find(({ name }) => known.templates.has(name)) ?? candidates.at(-1);
  return { setting: 'template', reason: '', ...found };
}

function chosenExperts(
  { description = '', config }: Asking,
  { request, domain = '', detected, experts }: Known,
): Choice[] {
  const asked = [request, domain, description, config.description ?? ''].join('\n');
  const found = chooseExperts(asked, detected, experts);
  if (found.length === 0) return [{ setting: 'experts', reason: 'neither the request nor the project calls for one' }];
  return found.map(({ id, reason }) => ({ setting: 'experts', name: id, reason }));
}

const BY_TYPE: Readonly<Partial<Record<Phase['type'], string>>> = {
  test: 'testing',
  testing: 'testing',
  documentation: 'documentation',
};

/** By language, domain, type of phase, their own names, and what the experts work by whom the request calls for; each only if it exists. */
function chosenSkills({ type }: Pick<Phase, 'type'>, known: Known): Choice[] {
  const { request, domain, skills } = known;
  const byType = BY_TYPE[type];
  const called = chooseExperts(request, [], known.experts);
  const candidates: Chosen[] = [
    ...(domain === undefined ? [] : skills.filter((name) => hasWord(domain, name))).map((name) => ({
      name,
      reason: 'spec.yaml says so as its domain',
    })),
    ...languagesOf(known),
    ...(byType === undefined ? [] : [{ name: byType, reason: `it is a phase of type ${type}` }]),
    ...skills.filter((name) => hasWord(request, name)).map((name) => ({ name, reason: 'the request says its name' })),
    ...called.flatMap(({ id, reason }) =>
      (known.experts.find((expert) => expert.id === id)?.skills ?? []).map((name) => ({ name, reason })),
    ),
  ];
  const there = new Set(skills);
  const chosen = new Map<string, string>();
  for (const { name, reason } of candidates) {
    if (there.has(name) && !chosen.has(name) && chosen.size < MAX_SKILLS) chosen.set(name, reason);
  }
  if (chosen.size === 0) return [{ setting: 'skills', reason: 'none fits language, domain or request' }];
  return [...chosen].map(([name, reason]) => ({ setting: 'skills', name, reason }));
}
