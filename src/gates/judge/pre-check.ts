import type { Finding } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Interrupted } from '../files/ask-syntax.ts';
import type { PreCheckSource } from './pre-check-source.ts';

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
    const { checkFiles } = await import('../files/judge-syntax.ts');
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
