import type { InputFile } from '../domain/facts/run-event.ts';
import type { Finding } from '../domain/finding.ts';
import type { Tree } from './tree.ts';

/** What a human finds where their own change is asked for, for one question. */
export type OwnCopy = {
  /** The directory, an absolute path below `.helix`. */
  readonly dir: string;
  readonly request: string;
  /** Without one: what the project has for the phase. */
  readonly start: string | undefined;
  /** The commit it builds on, in a repository. */
  readonly base: string | undefined;
  readonly inputs: readonly InputFile[];
};

/** What a human has made of it; it starts from what was laid out for them, which may be older than what was asked for. */
export type OwnChange = {
  readonly start: string;
  readonly base?: string;
  readonly tree: Tree;
  readonly notices: readonly Finding[];
};
