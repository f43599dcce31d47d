import type { Finding, Location } from '../../domain/finding.ts';
import type { SectionKind } from './section-names.ts';

/** Where something stands in an ADR; lines and columns count from 1. */
export type Place = { readonly line: number; readonly column: number };

/** A heading and all that stands under it, subsections included. */
export type Section = Place & {
  /** As written, without its markup. */
  readonly title: string;
  /** For comparing: no number, emoji, markup or punctuation at its ends; lower case, NFC. */
  readonly name: string;
  /** What it is about, by its name; several kinds, or none. */
  readonly kinds: readonly SectionKind[];
  /** 1 to 6 for a real heading; a line in bold that has the name of a known section is one level below what it stands in. */
  readonly level: number;
  /** The first line under the heading and the last one of its last subsection; `last` is before `first` when there is none. */
  readonly first: number;
  readonly last: number;
  readonly parent: Section | undefined;
  readonly children: readonly Section[];
};

/** A list item with a box to tick; in fences, comments and quotes there are none. */
export type Task = Place & {
  readonly text: string;
  readonly checked: boolean;
  /** The innermost section it stands in. */
  readonly section: Section | undefined;
};

/** A block of code: fenced, or indented (then `info` is undefined). */
export type CodeBlock = {
  /** The lines of the whole block, its fences included. */
  readonly first: number;
  readonly last: number;
  readonly info: string | undefined;
  /** False for a fence that nothing closes. */
  readonly closed: boolean;
  /** Fences opened inside it that strict CommonMark takes for text. */
  readonly nested: readonly Place[];
};

/** Where an ADR tells something: in YAML front matter, in lines or a table at the top, in a section of its own, or in its first heading. */
type Source = 'front-matter' | 'top' | 'section' | 'heading' | 'file-name';

/** A value that an ADR tells, as written. */
export type Told = Place & { readonly value: string; readonly source: Source };

/** How one ADR names another. */
export type Reference = Told & {
  readonly kind: 'depends_on' | 'related_to' | 'supersedes' | 'superseded_by';
  /** The link target beside the name, if it is a link. */
  readonly target?: string;
};

/** YAML front matter: its values, ids as text, and where each stands. */
export type FrontMatter = {
  /** The lines of its fences `---`. */
  readonly first: number;
  readonly last: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** False for YAML that is sound but has no fields, such as a list. */
  readonly isMapping: boolean;
  /** What is wrong with the YAML; positions are those of the whole file. */
  readonly findings: readonly Finding[];
  /** Where a value stands, or the nearest one around it; positions are those of the whole file. */
  locate(path: readonly PropertyKey[]): Location;
  /** Where the key stands that the path ends with. */
  locateKey(path: readonly PropertyKey[]): Location;
};

/** An architecture decision record that was read; nothing in it is judged yet. */
export type Adr = {
  readonly path: string;
  /** As written, without line ends; the first line has no byte order mark. */
  readonly lines: readonly string[];
  /** The same lines as a reader sees them as text: code, quotes, comments, front matter and headings are empty. */
  readonly prose: readonly string[];
  readonly frontMatter: FrontMatter | undefined;
  /** True when the header is the one of the first HELIX ADRs: `**Status:** …`, `**Datum:** …`. */
  readonly legacyHeader: boolean;
  /** Every place that tells it, the most binding first. */
  readonly ids: readonly Told[];
  readonly titles: readonly Told[];
  readonly statuses: readonly Told[];
  readonly dates: readonly Told[];
  readonly references: readonly Reference[];
  /** In the order of the document; the tree is in `parent` and `children`. */
  readonly sections: readonly Section[];
  readonly tasks: readonly Task[];
  readonly code: readonly CodeBlock[];
  /** Block quotes, by their lines. */
  readonly quotes: readonly { readonly first: number; readonly last: number }[];
  /** Where a comment starts that nothing closes. */
  readonly openComment: Place | undefined;
};

/** What one layer found; `corpus` is the comparison of several files. */
export type AdrFinding = Finding & { readonly layer: 1 | 2 | 3 | 'corpus' };

/** The text of a section that a reader sees, subsections included. */
export function proseOf(adr: Adr, section: Pick<Section, 'first' | 'last'>): string {
  return adr.prose
    .slice(section.first - 1, section.last)
    .join('\n')
    .trim();
}
