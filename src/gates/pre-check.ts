import type { ProfileChoice } from '../adr/check-adr.ts';
import type { Finding } from '../domain/finding.ts';
import { HelixError } from '../domain/helix-error.ts';
import type { RulesSource } from './adr-rules.ts';
import type { Interrupted, SyntaxProgram } from './ask-syntax.ts';
import type { Before } from './old-flaws.ts';

/** What the free checks look at and use, in a run and outside of any. */
export type PreCheckSource = {
  /** A file of what is judged, at most `limit` bytes of it; undefined when there is none. */
  readonly read: (path: string, limit: number) => Promise<Buffer | undefined>;
  /** Tells whether there is a file or folder at a path; undefined where that cannot be known. */
  readonly exists: (path: string) => boolean | undefined;
  /** Where the rules for ADRs come from. */
  readonly rules: RulesSource;
  /** The form an ADR at a path must have; without it, the one it seems to have. */
  readonly profile?: (path: string) => Promise<ProfileChoice>;
  /** What the ADRs were made from, for layer 3. */
  readonly concept?: { readonly path: string; readonly text: string };
  /** What was there before the work began, where only what is new counts. */
  readonly before?: Before;
  /** What the syntax program is started with. */
  readonly program: SyntaxProgram;
};

/**
 * The free checks of an approval type: layers 1 to 3 for ADRs, syntax for code, links for documents, nothing for others.
 * Throws HelixError: `setup` where they cannot be made, `stopped` by the signal.
 */
export async function preCheck(
  type: string,
  files: readonly string[],
  source: PreCheckSource,
): Promise<readonly Finding[]> {
  const found = await runPreCheck(type, files, source);
  if (!('kind' in found)) return found;
  throw new HelixError(found.failure === 'cancelled' ? 'stopped' : 'setup', found.message);
}

type Check = (files: readonly string[], source: PreCheckSource) => Promise<readonly Finding[] | Interrupted>;

const CHECKS: Readonly<Record<string, Check>> = {
  adr: async (files, source) => (await import('./pre-check-adrs.ts')).preCheckAdrs(files, source),
  code: async (files, { read, before, program }) => {
    const { checkFiles } = await import('./judge-syntax.ts');
    const paths = files.map((path) => ({ path }));
    return checkFiles(paths, { tree: { read }, program, ...(before && { before }) });
  },
  docs: async (files, source) => (await import('./check-links.ts')).checkLinks(files, source),
};

/** The free checks, with what kept them from being made as a value. */
export async function runPreCheck(
  type: string,
  files: readonly string[],
  source: PreCheckSource,
): Promise<readonly Finding[] | Interrupted> {
  return Object.hasOwn(CHECKS, type) ? (CHECKS[type]?.(files, source) ?? []) : [];
}
