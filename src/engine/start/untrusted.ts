import { isProtection, lostProtections } from '../../domain/plan/trust.ts';
import { withPlainEnds } from './detected-commands.ts';

/** What of a run's lines its user has not trusted, and what of the trusted ones is missed, as it is shown. */
export function untrusted(
  lines: readonly string[],
  trusted: readonly string[],
  lostOf: typeof lostProtections = lostProtections,
): string[] {
  const known = new Set(trusted.map(withPlainEnds));
  return [
    ...lines.filter((line) => !isProtection(line) && !known.has(withPlainEnds(line))).map((line) => `+ ${line}`),
    ...lostOf(trusted, lines).map((line) => `- ${line}`),
  ];
}
