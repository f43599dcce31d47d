import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { findAdrDirectory, isInRepository, readAdrSets } from '../../adapters/adrs/adr-files.ts';
import { INSTALLATION } from '../../adapters/disk/installation.ts';
import { ioError } from '../../adapters/disk/io-error.ts';
import { adrCorpus } from '../../adr/corpus/adr-corpus.ts';
import { folderOf } from '../../adr/corpus/own-id.ts';
import type { Adr } from '../../adr/document/adr.ts';
import { parseAdr } from '../../adr/document/parse-adr.ts';
import { statusOf } from '../../adr/document/status.ts';
import { detectProfile } from '../../adr/structure/detect-profile.ts';
import { commonHeading, fillAdrTemplate } from '../../adr/write/fill-adr-template.ts';
import { headerLike } from '../../adr/write/header-like.ts';
import { type NextName, nextName } from '../../adr/write/next-name.ts';
import { statusWords } from '../../adr/write/status-words.ts';
import type { AdrNewDocument } from '../../domain/documents/adr-list-documents.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { present } from '../../domain/present.ts';
import { renderJson } from '../../report/words/json.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { oneLine, sanitise } from '../../text/sanitise.ts';
import { type Call, type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { repositoryRoot } from '../call/nearest-project.ts';
import { freeName, makeAdrFile } from './make-adr-file.ts';
import { ADR_DIR_OPTION, findAdr, namedDirectory, type OpenAdrs } from './open-adrs.ts';
import { supersessionChanges } from './supersede.ts';
import { writeTogether } from './write-together.ts';

const PROFILES = ['helix', 'madr', 'nygard', 'rationale', 'what-why'];
const SHIPPED = join(INSTALLATION, 'templates', 'adr');
const OWN_TEMPLATES = ['template.md', 'adr-template.md', '0000-template.md', 'templates/template.md'];
const LONGEST_TITLE = 200;

/** `helix adr new` */
export const adrNew: Command = {
  usage: 'adr new "Title" [--profile P] [--dir D] [--status S] [--supersedes ID] [--dry-run] [--json]',
  about: `Writes a new ADR with the next free number, named and headed like the others of its folder. It is filled from the folder's own
template (template.md, adr-template.md, 0000-template.md, templates/template.md) or from the one of the profile most of
its ADRs have; in an empty folder that is helix. Nothing is ever overwritten.`,
  positionals: { min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    profile: { type: 'string', value: 'P', help: `auto (default), ${PROFILES.join(', ')}` },
    dir: { ...ADR_DIR_OPTION, help: `${ADR_DIR_OPTION.help}; made if it is missing` },
    status: { type: 'string', value: 'S', help: 'its status (default: proposed, in the words of the folder)' },
    supersedes: { type: 'string', value: 'ID', help: 'the ADR it replaces, which is marked as superseded at once' },
    'dry-run': { type: 'boolean', help: 'print the ADR instead of writing it' },
    json: JSON_OPTION,
  },
  examples: [
    'helix adr new "Use SQLite for the journal"',
    'helix adr new "Use PostgreSQL" --supersedes 3 --status accepted',
    'helix adr new "Record decisions" --profile nygard --dir doc/adr --dry-run',
  ],
  run: async (call) => {
    const title = titleOption(call.positionals.join(' '));
    const status = statusOption(call.text('status'));
    const folder = openFolder(call);
    const { template, profile, own } = chooseTemplate(folder, call.text('profile') ?? 'auto');
    const date = today();
    const values = { title, date, status: status ?? defaultStatus(folder.adrs, profile) };
    const headings = folder.adrs.flatMap(({ sections }) => sections.find(({ level }) => level === 1)?.title ?? []);
    const text = ({ file, id }: NextName): string =>
      fillAdrTemplate(template, {
        ...values,
        id,
        path: join(folder.shown, file),
        likeHeading: commonHeading(headings),
      });
    const name = (after: number): NextName => nextName(folder.adrs, { title, date, after });
    const superseded = call.text('supersedes');
    const replaced = superseded === undefined ? undefined : findAdr(folder.open, superseded);
    const dryRun = call.flag('dry-run');
    const made = dryRun ? freeName(folder.path, name) : makeAdrFile(folder.path, { name, text });
    const path = [folder.shown, made.file].filter((part) => part !== '.').join('/');
    const content =
      replaced === undefined ? text(made) : supersede(folder, { path, text: text(made), replaced, dryRun });
    const document: AdrNewDocument = {
      schema: 'helix.adr-new/1',
      path,
      ...present({ id: made.id }),
      title,
      profile,
      ...present({ template: own }),
      ...(replaced !== undefined && { supersedes: replaced.path }),
      dryRun,
    };
    if (call.flag('json')) call.terminal.out(renderJson(document));
    else if (dryRun) {
      call.terminal.err(`would write ${oneLine(path, 300)}\n`);
      call.terminal.out(sanitise(content));
    } else call.terminal.out(`${oneLine(path, 300)}\n`);
    return EXIT.passed;
  },
};

function titleOption(text: string): string {
  const title = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .trim();
  if (title === '') throw new HelixError('usage', 'the title is empty', { hint: 'Usage: helix adr new "Title"' });
  if (title.length > LONGEST_TITLE) {
    throw new HelixError('usage', `the title has ${title.length} characters; ${LONGEST_TITLE} are the most`, {
      hint: 'A title names the decision; the rest belongs into the document.',
    });
  }
  return title;
}

function statusOption(text: string | undefined): string | undefined {
  if (text === undefined || (statusOf(text) !== undefined && /^[\p{L} ]{1,40}$/u.test(text))) return text;
  throw new HelixError('usage', `there is no status ${JSON.stringify(oneLine(text, 60))}`, {
    hint: 'Such as: proposed, accepted, implemented, superseded, deprecated, rejected',
  });
}

type Folder = { readonly path: string; readonly shown: string; readonly adrs: readonly Adr[]; readonly open: OpenAdrs };

function usualPlace(cwd: string): string {
  const path = join(repositoryRoot(cwd) ?? cwd, 'docs', 'adr');
  if (isInRepository(path, cwd)) return path;
  throw new HelixError('usage', 'docs/adr leads out of the repository', {
    hint: 'Replace the link by a folder, or say that you mean it: helix adr new "…" --dir docs/adr',
  });
}

function openFolder(call: Call): Folder {
  const cwd = process.cwd();
  const path = resolve(cwd, namedDirectory(call) ?? findAdrDirectory(cwd) ?? usualPlace(cwd));
  const shown = relative(cwd, path).split(sep).join('/') || '.';
  if (existsSync(path) && !statSync(path).isDirectory()) throw new HelixError('usage', `${shown} is no folder`);
  const files = existsSync(path) ? readFolder(path, cwd) : [];
  const adrs = files
    .map((file) => parseAdr(file.text ?? '', file.path))
    .filter((adr) => (folderOf(adr.path) || '.') === shown);
  const unreadable = files.flatMap((file) => file.findings.map(({ message }) => ({ path: file.path, message })));
  const open = {
    cwd,
    directory: shown,
    corpus: adrCorpus(adrs),
    files: new Map(files.map((file) => [file.path, file])),
    unreadable,
  };
  return { path, shown, adrs, open };
}

/** A folder without ADRs is no mistake here. */
function readFolder(path: string, cwd: string) {
  try {
    return readAdrSets([path], { cwd }).flatMap(({ files }) => files);
  } catch (error) {
    if (error instanceof HelixError && error.code === 'not_found') return [];
    throw error;
  }
}

type Template = { readonly template: string; readonly profile: string; readonly own?: string };

function chooseTemplate({ path, adrs, shown }: Folder, wanted: string): Template {
  if (wanted !== 'auto' && !PROFILES.includes(wanted)) {
    throw new HelixError('usage', `there is no profile ${JSON.stringify(oneLine(wanted, 60))}`, {
      hint: suggestion(wanted, ['auto', ...PROFILES]),
    });
  }
  const profile = wanted === 'auto' ? commonProfile(adrs) : wanted;
  const own =
    wanted === 'auto'
      ? OWN_TEMPLATES.find((name) => statSync(join(path, name), { throwIfNoEntry: false })?.isFile())
      : undefined;
  if (own === undefined) {
    const shipped = readFileSync(join(SHIPPED, `${profile}.md`), 'utf8');
    return { template: wanted === 'auto' ? headerLike(shipped, adrs) : shipped, profile };
  }
  const template = readTemplate(join(path, own));
  const form = detectProfile(parseAdr(template, own)) ?? profile;
  return { template, profile: form, own: shown === '.' ? own : `${shown}/${own}` };
}

function readTemplate(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw ioError(error, file);
  }
}

function commonProfile(adrs: readonly Adr[]): string {
  const counts = new Map<string, number>();
  for (const adr of adrs) {
    const profile = detectProfile(adr);
    if (profile !== undefined && PROFILES.includes(profile)) counts.set(profile, (counts.get(profile) ?? 0) + 1);
  }
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), ['helix', 0] as const)[0];
}

function defaultStatus(adrs: readonly Adr[], profile: string): string {
  const newest = adrs.at(-1);
  const word = newest === undefined ? 'Proposed' : statusWords(newest).proposed;
  const lower = profile === 'madr' || /^\p{Ll}/u.test(newest?.statuses[0]?.value ?? '');
  return lower ? word.toLowerCase() : word;
}

function today(): string {
  const now = new Date();
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

type Successor = { readonly path: string; readonly text: string; readonly replaced: Adr; readonly dryRun: boolean };

/** Marks the old ADR and the new one; where that fails the new one is gone again. */
function supersede(folder: Folder, { path, text, replaced, dryRun }: Successor): string {
  const adr = parseAdr(text, path);
  const { open } = folder;
  const files = new Map(open.files).set(path, { path, text, findings: [] });
  const corpus = adrCorpus([...open.corpus.adrs, adr]);
  try {
    const changes = supersessionChanges({ ...open, files, corpus }, replaced, adr);
    if (!dryRun) writeTogether(changes.map((each) => ({ ...each, path: resolve(open.cwd, each.path) })));
    return changes.find((each) => each.path === path)?.after ?? text;
  } catch (error) {
    if (!dryRun) rmSync(resolve(open.cwd, path), { force: true });
    throw error;
  }
}
