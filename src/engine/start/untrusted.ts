import { isProtection, lostProtections } from '../../domain/plan/trust.ts';
import { withPlainEnds } from './detected-commands.ts';

type Comparing = {
  readonly lostOf?: typeof lostProtections;
  /** Lines that come out the same are the same line. */
  readonly likeness?: (line: string) => string;
};

/** What of a run's lines its user has not trusted, and what of the trusted ones is missed, as it is shown. */
export function untrusted(
  lines: readonly string[],
  trusted: readonly string[],
  { lostOf = lostProtections, likeness = (line) => line }: Comparing = {},
): string[] {
  const plain = (line: string) => likeness(withPlainEnds(line));
  const known = new Set(trusted.map(plain));
  return [
    ...lines.filter((line) => !isProtection(line) && !known.has(plain(line))).map((line) => `+ ${line}`),
    ...lostOf(trusted, lines).map((line) => `- ${line}`),
  ];
}
