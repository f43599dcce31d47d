import { posix } from 'node:path';
import type { Adr } from '../../adr/document/adr.ts';
import type { Finding } from '../../domain/finding.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { globMatcher, isGlob } from '../../text/glob.ts';
import { isRecord } from '../../text/is-record.ts';
import { oneLine } from '../../text/sanitise.ts';
import { existsAmong } from '../gate/exists-among.ts';
import type { ProjectFiles } from '../gate/gate-context.ts';

/** An address, an absolute path, one into another repository, or a placeholder says nothing about this project. */
const ELSEWHERE = /^(?:[a-z][\w+.-]*:|\/|~|\.\.(?:\/|$))|[<>{}…]|^$/i;
const VOID = /^(?:superseded|rejected|deprecated)/i;

type Kind = 'create' | 'modify' | 'docs';
type Named = { readonly kind: Kind; readonly path: string; readonly location: Finding['location'] };
type Note = Pick<Finding, 'severity' | 'check' | 'message' | 'hint'>;

/** Looks up the files that ADRs name in their headers: what is to be modified exists, what is to be created does not yet. */
export function checkNamedFiles(adrs: readonly Adr[], files: ProjectFiles | undefined): Finding[] {
  if (files === undefined) return [];
  const known = new Known(files);
  return adrs.flatMap((adr) => {
    const [status = ''] = adr.statuses.map(({ value }) => value.trim());
    if (VOID.test(status)) return [];
    return namedIn(adr).flatMap((named) => {
      const note = noteOn(named, { adr, status: status.toLowerCase(), known });
      return note === undefined ? [] : [{ ...note, location: { ...named.location, file: adr.path } }];
    });
  });
}

function namedIn({ frontMatter }: Adr): Named[] {
  const files = frontMatter?.fields.files;
  if (frontMatter === undefined || !isRecord(files)) return [];
  return (['create', 'modify', 'docs'] as const).flatMap((kind) => {
    const listed: readonly unknown[] = Array.isArray(files[kind]) ? files[kind] : [];
    return listed.flatMap((each, index) => {
      const path = typeof each === 'string' ? each.trim() : '';
      if (ELSEWHERE.test(path)) return [];
      const place = posix.normalize(path).replace(/\/$/, '');
      return [{ kind, path: place, location: frontMatter.locate(['files', kind, index]) }];
    });
  });
}

type About = { readonly adr: Adr; readonly status: string; readonly known: Known };

function noteOn({ kind, path }: Named, { adr, status, known }: About): Note | undefined {
  const shown = oneLine(path, 200);
  const isThere = known.isThere(path);
  if (kind === 'create' && status !== 'implemented') {
    if (!known.wasThere(path)) return undefined;
    const severity = status === 'proposed' || status === '' ? 'error' : 'warning';
    const message = `${shown} is to be created, and it exists already`;
    return {
      severity,
      check: 'files-create-exists',
      message,
      hint: 'List it under files.modify, or choose another path.',
    };
  }
  if (isThere) return undefined;
  const near = known.nearest(path);
  const hint = near === undefined ? 'Paths count from the root of the project.' : `Did you mean ${oneLine(near, 200)}?`;
  if (kind === 'docs') {
    if (adr.prose.some((line) => line.includes(posix.basename(path)))) return undefined;
    return { severity: 'warning', check: 'files-docs-missing', message: `there is no ${shown}`, hint };
  }
  const severity = near === undefined || !isSpeltAlike(near, path) ? 'error' : 'warning';
  const what = kind === 'create' ? 'was to be created, the ADR is implemented' : 'is to be modified';
  return { severity, check: `files-${kind}-missing`, message: `${shown} ${what}, and it does not exist`, hint };
}

/** The same file under a path that differs by case or by the folder it starts from. */
function isSpeltAlike(near: string, path: string): boolean {
  const [one, other] = [near.toLowerCase(), path.toLowerCase()];
  return one === other || one.endsWith(`/${other}`);
}

class Known {
  readonly #before: readonly string[];
  readonly #all: readonly string[];
  readonly #isBefore: (path: string) => boolean;
  readonly #isKnown: (path: string) => boolean;

  constructor({ before, since }: ProjectFiles) {
    this.#before = before;
    this.#all = [...before, ...since];
    this.#isBefore = existsAmong(before);
    this.#isKnown = existsAmong(this.#all);
  }

  wasThere(path: string): boolean {
    return isGlob(path) ? this.#before.some(globMatcher(path)) : this.#isBefore(path);
  }

  /** What phases have made may lie below directories of their own. */
  isThere(path: string): boolean {
    if (isGlob(path)) return this.#all.some(globMatcher(path));
    return this.#isKnown(path) || this.#all.slice(this.#before.length).some((each) => each.endsWith(`/${path}`));
  }

  nearest(path: string): string | undefined {
    return this.#all.find((each) => isSpeltAlike(each, path)) ?? didYouMean(path, this.#all.slice(0, 5000));
  }
}
