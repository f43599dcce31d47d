import { z } from 'zod';
import type { Finding } from '../../domain/finding.ts';
import { present } from '../../domain/present.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { isRecord } from '../../text/is-record.ts';
import { oneLine } from '../../text/sanitise.ts';

const CHECK = 'sources';
const SHOWN = 20;
const MOST_SOURCES = 500;

const Text = z.string().trim().min(1).max(2000);

/** A source: where it is, and when it was read. */
const Source = z.looseObject({
  id: z.union([Text, z.number()]),
  title: Text.optional(),
  url: Text.optional(),
  path: Text.optional(),
  accessed: Text.optional(),
});

/** The two files of research, and what is known of the files around them. */
export type Research = {
  readonly findings: { readonly path: string; readonly text: string | undefined };
  readonly sources: { readonly path: string; readonly text: string | undefined };
  /** Tells whether there is a file at a path; undefined where that cannot be known. */
  readonly exists: (path: string) => boolean | undefined;
};

/** Checks that every source says where it is and when it was read, and that what was found cites sources there are. */
export function checkSources({ findings, sources, exists }: Research): Finding[] {
  const note = noteIn(sources.path);
  if (sources.text === undefined) return [note(`${sources.path} is missing`, FORM)];
  const listed = sourcesIn(sources.text);
  if (listed === undefined) return [note(`${sources.path} is no list of sources`, FORM)];
  if (listed.length === 0)
    return [note(`${sources.path} names no source`, 'Name what was read, or what was measured.')];
  const faults = listed.slice(0, MOST_SOURCES).flatMap((each, index) => sourceFaults(each, index, exists));
  const ids = new Map(listed.flatMap((each, index) => (idOf(each) === undefined ? [] : [[idOf(each) ?? '', index]])));
  const twice = listed.length - listed.filter((each) => idOf(each) === undefined).length - ids.size;
  return [
    ...faults.slice(0, SHOWN).map(({ message, hint }) => note(message, hint)),
    ...(twice > 0 ? [note('two sources have the same id', 'Give each one an id of its own.')] : []),
    ...citationFaults(findings, new Set(ids.keys())),
  ];
}

const FORM = 'Write a JSON list, each entry with "id", "title", "url" or "path", and "accessed": the day it was read.';

type Note = (message: string, hint: string) => Finding;

function noteIn(file: string): Note {
  return (message, hint) => ({ severity: 'error', check: CHECK, message, hint, location: { file } });
}

function sourcesIn(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const list = isRecord(value) ? value.sources : value;
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

function idOf(source: unknown): string | undefined {
  const id = isRecord(source) ? source.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id).trim() : undefined;
}

type Fault = Pick<Finding, 'message'> & { readonly hint: string };

function sourceFaults(source: unknown, index: number, exists: Research['exists']): Fault[] {
  const read = Source.safeParse(source);
  const name = oneLine(idOf(source) ?? `number ${index + 1}`, 40);
  if (!read.success) {
    const issue = read.error.issues[0];
    const what = issue === undefined ? '' : `: ${issue.path.join('.')}: ${oneLine(issue.message, 200)}`;
    return [{ message: `source ${name} cannot be read${what}`, hint: FORM }];
  }
  const { url, path, accessed } = read.data;
  const faults: Fault[] = [];
  if (url === undefined && path === undefined)
    faults.push({
      message: `source ${name} does not say where it is`,
      hint: 'Give it a "url", or the "path" of a file.',
    });
  if (url !== undefined && !isAddress(url))
    faults.push({ message: `source ${name}: ${oneLine(url, 200)} is no address`, hint: 'Begin it with https://.' });
  if (path !== undefined && exists(path) === false)
    faults.push({ message: `source ${name}: there is no ${oneLine(path, 200)}`, hint: 'Name a file of the project.' });
  if (!isDay(accessed))
    faults.push({
      message: `source ${name} does not say when it was read`,
      hint: 'Say it under "accessed", as 2026-11-20.',
    });
  return faults;
}

function isAddress(url: string): boolean {
  return /^[a-z][a-z\d+.-]*:\S+$/i.test(url) && URL.canParse(url);
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/;

function isDay(text = ''): boolean {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
}

const FENCED = /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm;
/** `[S1]`, `[S1, S2]`; not a link. */
const CITED = /\[([^\][\n]{1,200})\](?![(:[])/g;
const NUMBERED = /^[A-Z]{1,3}-?\d{1,4}$/;

function citationFaults({ path, text }: Research['findings'], ids: ReadonlySet<string>): Finding[] {
  if (text === undefined) return [];
  // Code keeps its lines, so that places stay where they are.
  const prose = text.replaceAll(FENCED, (block) => block.replaceAll(/[^\n]/g, ' '));
  const cited = new Set<string>();
  const unknown = new Map<string, number>();
  for (const match of prose.matchAll(CITED)) {
    for (const id of (match[1] ?? '').split(/[,;]/).map((each) => each.trim())) {
      if (ids.has(id)) cited.add(id);
      else if (NUMBERED.test(id) && !unknown.has(id)) unknown.set(id, prose.slice(0, match.index).split('\n').length);
    }
  }
  const at = (line?: number) => ({ file: path, ...present({ line }) });
  const unused = [...ids].filter((id) => !cited.has(id));
  return [
    ...[...unknown].slice(0, SHOWN).map(([id, line]): Finding => {
      const message = `[${id}] is cited, and no source has that id`;
      return { severity: 'error', check: CHECK, message, hint: suggestion(id, [...ids]), location: at(line) };
    }),
    ...(cited.size === 0
      ? [
          {
            ...{ severity: 'error' as const, check: CHECK, message: `no claim in ${path} cites a source` },
            ...{ hint: 'Put the id of its source behind each claim: [S1].', location: at() },
          },
        ]
      : unused.slice(0, SHOWN).map((id): Finding => {
          const message = `source ${oneLine(id, 40)} is cited nowhere`;
          return { severity: 'warning', check: CHECK, message, hint: 'Cite it, or leave it out.', location: at() };
        })),
  ];
}
