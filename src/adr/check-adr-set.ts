import type { Finding } from '../domain/finding.ts';
import { present } from '../domain/present.ts';
import { type AdrCheck, type AdrCheckOptions, checkParsedAdr, type FolderFacts, judged } from './check-adr.ts';
import { checkCorpus } from './corpus/check-corpus.ts';
import { fileName, folderOf } from './corpus/own-id.ts';
import type { Adr, AdrFinding } from './document/adr.ts';
import { adrIdIn, fileNumber, unpadded } from './document/adr-names.ts';
import { parseAdr } from './document/parse-adr.ts';
import type { RuleSet } from './rules/rule-set.ts';
import { detectProfile } from './structure/detect-profile.ts';
import type { ProfileName } from './structure/profiles.ts';

/** A file as it was read; without a text when it could not be. */
type AdrSource = {
  readonly path: string;
  readonly text?: string;
  /** The text is only the beginning of the file. */
  readonly cut?: true;
  readonly findings: readonly Finding[];
};

/** ADRs that are compared with each other. */
export type AdrSourceSet = {
  readonly files: readonly AdrSource[];
  /** The other ADRs in their folders, those whose path is wanted. */
  readonly beside: (wanted: (path: string) => boolean) => readonly AdrSource[];
  /** True when a whole folder was given, and not files by name. */
  readonly whole: boolean;
};

type SetOptions = Omit<AdrCheckOptions, 'path' | 'folder' | 'rules'> & {
  /** The rules of the project an ADR belongs to. */
  readonly rules?: (path: string) => RuleSet | undefined;
};

/** Checks a set of ADRs: each one by itself, then all of them against each other. */
export function checkAdrSet(set: AdrSourceSet, { rules, ...options }: SetOptions): AdrCheck[] {
  const optionsFor = (path: string) => ({ ...options, ...present({ rules: rules?.(path) }) });
  const survey = new Survey(options.profile === 'learned');
  const checks = new Map<string, AdrCheck>();
  const adrs: Adr[] = [];
  const waiting: AdrSource[] = [];
  for (const file of set.files) {
    if (file.text === undefined) {
      checks.set(file.path, unread(file));
      continue;
    }
    const adr = parseAdr(file.text, file.path);
    const profile = survey.add(adr);
    adrs.push(forComparing(adr));
    if (options.profile === 'learned' || (profile === undefined && needsFolder(options))) waiting.push(file);
    else checks.set(file.path, withFileFindings(checkParsedAdr(adr, optionsFor(file.path), profile), file));
  }
  for (const file of waiting) {
    const adr = parseAdr(file.text ?? '', file.path);
    const folder = { ...survey.factsFor(adr), mixed: set.whole };
    checks.set(file.path, withFileFindings(checkParsedAdr(adr, { ...optionsFor(file.path), folder }), file));
  }
  const beside = besideOf(set, adrs);
  const found = Map.groupBy(checkCorpus(adrs, { beside, whole: set.whole }), ({ location }) => location?.file ?? '');
  return set.files.flatMap(({ path }) => {
    const check = checks.get(path);
    const across = found.get(path) ?? [];
    if (check === undefined) return [];
    return [across.length === 0 ? check : { ...check, ...judged([...check.findings, ...across]) }];
  });
}

/** The ADRs beside a set that it refers to; all of them are read only where their names do not tell which these are. */
function besideOf(set: AdrSourceSet, adrs: readonly Adr[]): Adr[] {
  const { numbers, files, others } = namesOf(set.whole ? [] : adrs);
  if (numbers.size === 0 && files.size === 0 && !others) return [];
  const numberIn = (path: string) => unpadded(fileNumber(path) ?? '');
  const likely = others ? [] : set.beside((path) => numbers.has(numberIn(path)) || files.has(fileName(path)));
  const known = new Set([...likely, ...set.files].map(({ path }) => numberIn(path)));
  const folders = new Set(set.files.map(({ path }) => folderOf(path)));
  const enough = !others && folders.size === 1 && [...numbers].every((number) => known.has(number));
  return (enough ? likely : set.beside(() => true)).flatMap(({ text, path }) =>
    text === undefined ? [] : [forComparing(parseAdr(text, path))],
  );
}

const LINKED = /\]\(<?([^()\s<>#]{1,300}\.(?:md|markdown))/gi;

/** What ADRs call others: by number, by file, or by a name that only reading them tells. */
function namesOf(adrs: readonly Adr[]): { numbers: Set<string>; files: Set<string>; others: boolean } {
  const numbers = new Set<string>();
  const files = new Set<string>();
  let others = false;
  for (const { references, prose } of adrs) {
    for (const { value } of references) {
      const id = adrIdIn(value);
      if (id === undefined) others = true;
      else numbers.add(unpadded(id));
    }
    for (const line of prose)
      if (line !== '') for (const [, target = ''] of line.matchAll(LINKED)) files.add(fileName(target));
  }
  return { numbers, files, others };
}

function needsFolder({ profile = 'auto' }: SetOptions): boolean {
  return profile === 'auto';
}

function unread({ path, findings }: AdrSource): AdrCheck {
  const rules = { checked: 0, triggered: 0, passed: 0 };
  return { path, profile: 'unknown', ...judged(findings.map(asLayerOne)), rules };
}

/** What stands in the part of a file that was not read cannot be called missing. */
function withFileFindings(check: AdrCheck, { findings, cut }: AdrSource): AdrCheck {
  if (findings.length === 0) return check;
  const own = cut
    ? check.findings.filter(({ check: id }) => !/^(?:missing-section|min-acceptance)$/.test(id))
    : check.findings;
  return { ...check, ...judged([...own, ...findings.map(asLayerOne)]) };
}

function asLayerOne(finding: Finding): AdrFinding {
  return { ...finding, layer: 1 };
}

function hasLink(line: string): boolean {
  return line.includes('](');
}

/** What across-file checks look at: thousands of documents need not stay in memory as a whole. */
function forComparing(adr: Adr): Adr {
  const told = new Set(adr.references.map(({ line }) => line));
  return {
    ...adr,
    lines: told.size === 0 ? [] : adr.lines.map((line, index) => (told.has(index + 1) ? line : '')),
    prose: adr.prose.some(hasLink) ? adr.prose.map((line) => (hasLink(line) ? line : '')) : [],
    sections: [],
    tasks: [],
    code: [],
    quotes: [],
  };
}

/** Sections that this share of the other ADRs have are expected of each, from this many others on. */
const LEARNED_SHARE = 0.95;
const LEARNED_FROM = 5;

type Counted = { readonly title: string; count: number };

/** Counts forms and section names over a folder, so that one file can be compared with all others in no time. */
class Survey {
  readonly #profiles = new Map<ProfileName, number>();
  readonly #sections = new Map<string, Counted>();
  #frequent: readonly [string, Counted][] | undefined;
  #files = 0;
  readonly #learning: boolean;

  constructor(learning: boolean) {
    this.#learning = learning;
  }

  add(adr: Adr): ProfileName | undefined {
    const profile = detectProfile(adr);
    if (profile !== undefined) this.#profiles.set(profile, (this.#profiles.get(profile) ?? 0) + 1);
    this.#files += 1;
    if (this.#learning) this.#addSections(adr);
    return profile;
  }

  #addSections(adr: Adr): void {
    for (const [name, title] of titlesOf(adr)) {
      const known = this.#sections.get(name);
      if (known === undefined) this.#sections.set(name, { title, count: 1 });
      else known.count += 1;
    }
  }

  /** Ask only when all were added. */
  factsFor(adr: Adr): FolderFacts {
    const [most] = [...this.#profiles].sort(([, a], [, b]) => b - a);
    const others = this.#files - 1;
    this.#frequent ??= [...this.#sections].filter(([, { count }]) => count >= LEARNED_SHARE * others);
    const own = titlesOf(adr);
    const learned = this.#frequent.flatMap(([name, { title, count }]) =>
      others >= LEARNED_FROM && count - (own.has(name) ? 1 : 0) >= LEARNED_SHARE * others ? [title] : [],
    );
    return { learned, ...(most !== undefined && { profile: most[0] }) };
  }
}

function titlesOf(adr: Adr): ReadonlyMap<string, string> {
  return new Map(
    adr.sections.filter(({ level }) => level === 2 || level === 3).map(({ name, title }) => [name, title]),
  );
}
