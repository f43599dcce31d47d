import type { Adr, Told } from '../document/adr.ts';
import { unpadded } from '../document/adr-names.ts';
import { type StatusName, statusOf } from '../document/status.ts';

/** The id an ADR binds itself to, without prefix; a number takes the padding of the file's name, so `# 7. X` in 0007-x.md is "0007". */
export function ownId({ ids }: Pick<Adr, 'ids'>): Told | undefined {
  const [bound] = ids;
  if (bound === undefined) return undefined;
  const value = idText(bound.value);
  if (bound.source === 'front-matter') return { ...bound, value };
  const inName = ids.find(({ source }) => source === 'file-name')?.value ?? '';
  return { ...bound, value: /^\d+$/.test(value) ? value.padStart(/^\d+/.exec(inName)?.[0].length ?? 0, '0') : value };
}

/** An id as text to compare: a number without the prefix `ADR-`, anything else in lower case. */
export function idText(value: string): string {
  const text = value.trim().toLowerCase();
  return /^adr[-_ #]*(\d+(?:\.\d+)*)$/.exec(text)?.[1] ?? text;
}

/** The same number whatever its padding: "007" and "7", "032.1" and "32.1". */
export function numberOf(id: string): string | undefined {
  return /^\d+(?:\.\d+)*$/.test(id) ? unpadded(id) : undefined;
}

/** The first status of an ADR whose words are known. */
export function statusName({ statuses }: Pick<Adr, 'statuses'>): StatusName | undefined {
  for (const { value } of statuses) {
    const name = statusOf(value);
    if (name !== undefined) return name;
  }
  return undefined;
}

const LANGUAGE =
  /\.(de|en|fr|es|it|pt|nl|pl|ru|zh|ja|ko|cs|sv|da|fi|nb|no|tr|uk|hu|ro|el|sk)(?:[-_][a-z]{2,4})?\.(?:md|markdown)$/i;

/** The language in the name of a translation: `0001-x.de.md` tells "de". */
export function languageInName(path: string): string {
  return LANGUAGE.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** True for the file that others are copied from: what it names are examples; one with a number is about templates. */
export function isTemplate(path: string): boolean {
  const name = fileName(path);
  return /template|vorlage|mod[eè]le/i.test(name) && !/^(?:m?adr)?[-_. ]?0*[1-9]/i.test(name);
}

/** True for a part of the ADR whose number it has. */
export function isAnnex(path: string): boolean {
  return /[-_. ](?:annexe?|appendix|addendum|anhang)[-_. ]?\w{0,3}\.(?:md|markdown)$/i.test(fileName(path));
}

/** The last part of a path. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder of a path, "" for none. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** How an ADR is called in messages: its id, or its file. */
export function nameOf(adr: Adr): string {
  const id = ownId(adr)?.value;
  return id !== undefined && numberOf(id) !== undefined ? `ADR-${id}` : fileName(adr.path);
}
