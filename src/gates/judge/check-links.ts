import { posix } from 'node:path';
import type { Finding } from '../../domain/finding.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { oneLine } from '../../text/sanitise.ts';
import { readableText } from '../gate/readable-text.ts';
import { anchorName, type Link, type LinkedDocument, markdownLinks } from './markdown-links.ts';
import type { PreCheckSource } from './pre-check-source.ts';

/** Reading takes a time that depends on what is written, and nothing else happens meanwhile. */
const LIMIT = 512 * 1024;
/** So many that looking for more helps nobody. */
const ENOUGH = 100;
const CHECK = 'links';

type Source = Pick<PreCheckSource, 'read' | 'exists'>;
type Note = Pick<Finding, 'severity' | 'message' | 'hint'>;

/** Checks that the relative links and images of Markdown files lead to something; nothing is fetched. */
export async function checkLinks(files: readonly string[], source: Source): Promise<Finding[]> {
  const documents = new Documents(source);
  const findings: Finding[] = [];
  for (const file of files.filter(isMarkdown)) {
    const document = await documents.read(file);
    if (document === undefined) {
      const message = `the links of ${file} were not checked: it is missing, over 512 KB or no text`;
      findings.push({ severity: 'warning', check: CHECK, message, location: { file } });
    }
    for (const link of document?.links ?? []) {
      const note = await checkLink(link, file, documents);
      if (note === undefined) continue;
      findings.push({ check: CHECK, ...note, location: { file, line: link.line, column: link.column } });
      if (findings.length >= ENOUGH) return [...findings, moreNote()];
    }
  }
  return findings;
}

function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

/** Reads each document once, also those that are only linked to. */
class Documents {
  readonly exists: Source['exists'];
  readonly #source: Source;
  readonly #known = new Map<string, Promise<LinkedDocument | undefined>>();

  constructor(source: Source) {
    this.#source = source;
    this.exists = source.exists;
  }

  read(path: string): Promise<LinkedDocument | undefined> {
    const known = this.#known.get(path) ?? this.#load(path);
    this.#known.set(path, known);
    return known;
  }

  async #load(path: string): Promise<LinkedDocument | undefined> {
    const bytes = await this.#source.read(path, LIMIT + 1);
    const text = bytes === undefined || bytes.length > LIMIT ? undefined : readableText(bytes)?.text;
    return text === undefined ? undefined : markdownLinks(text);
  }
}

/** What is no path: an address, or something a template fills in. */
const NO_PATH = /^(?:[a-z][a-z\d+.-]*:|\/\/)|\{\{|\{%|\$\{/i;

async function checkLink({ target }: Link, file: string, documents: Documents): Promise<Note | undefined> {
  const shown = oneLine(target, 200);
  if (NO_PATH.test(target)) return undefined;
  if (target.trim() === '') {
    return { severity: 'error', message: 'the link leads nowhere', hint: 'Write where it leads, or remove it.' };
  }
  const [, path = '', fragment = ''] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(target) ?? [];
  if (path === '') return checkAnchor(fragment, file, documents);
  const rooted = path.startsWith('/');
  const place = posix.normalize(rooted ? `.${decoded(path)}` : posix.join(posix.dirname(file), decoded(path)));
  if (place === '..' || place.startsWith('../')) {
    const hint = 'Link to a file of the project, or write the whole address.';
    return { severity: 'warning', message: `${shown} leads out of what is judged, so it was not checked`, hint };
  }
  const found = findTarget(place.replace(/\/$/, ''), documents);
  if (typeof found === 'string') return isMarkdown(found) ? checkAnchor(fragment, found, documents) : undefined;
  const message = `${shown} leads nowhere: there is no ${oneLine(place, 200)}`;
  const hint = 'Correct the path, or add the file.';
  // Where pages are served from, the first slash may mean another place.
  return { severity: rooted || found === undefined ? 'warning' : 'error', message, hint };
}

/** Where a link leads: pages may be linked to by the name they will have, or without an ending. */
function findTarget(place: string, { exists }: Documents): string | false | undefined {
  const page = place.replace(/\.html?$/i, '');
  const places = [place, `${page}.md`, `${page}.markdown`, `${page}.mdx`];
  const found = places.find((each) => exists(each) === true);
  return found ?? (exists(place) === undefined ? undefined : false);
}

async function checkAnchor(fragment: string, file: string, documents: Documents): Promise<Note | undefined> {
  const wanted = decoded(fragment).replace(/^user-content-/, '');
  const name = anchorName(wanted);
  if (name === '' || name === 'top' || /^L\d+(?:-L?\d+)?$/.test(wanted)) return undefined;
  const document = await documents.read(file);
  if (document === undefined || document.names.has(name)) return undefined;
  const message = `${file} has no heading #${oneLine(wanted, 100)}`;
  return { severity: 'error', message, hint: suggestion(wanted, document.anchors.slice(0, ENOUGH)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function moreNote(): Finding {
  return { severity: 'info', check: CHECK, message: 'there may be more such links: only the first are shown' };
}
