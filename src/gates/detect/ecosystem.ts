import type { Place } from './place.ts';

export type Argv = readonly string[];

/** What one kind of package in one folder asks for. */
export type Found = {
  /** Of the package manager, for people. */
  readonly tool: string;
  readonly languages: readonly string[];
  readonly setup: readonly Argv[];
  readonly cache: readonly string[];
  readonly test?: Argv;
  readonly notes: readonly string[];
  /** What to do about the tests that are missing; said only where no other package has any. */
  readonly untested?: string;
  /** True for the folders that belong to this package as parts of a workspace. */
  readonly covers?: (dir: string) => boolean;
};

/** One kind of package: the files it is known by, and what it makes of a folder that has one of them. */
export type Ecosystem = {
  readonly manifests: readonly string[];
  readonly detect: (place: Place) => Promise<Found | undefined>;
};

const PLAIN = /^(?!(?:true|false|null|[\d.+-]+)$)[\w./-](?:[\w./@=:+-]*[\w./=+-])?$/;

/** An argument list as it would be written in phases.yaml. */
export function written(argv: Argv): string {
  return `[${argv.map((word) => (PLAIN.test(word) ? word : JSON.stringify(word))).join(', ')}]`;
}
