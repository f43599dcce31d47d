import { HelixError } from '../../domain/helix-error.ts';
import type { World } from '../../ports/world.ts';
import { withPlainEnds } from './detected-commands.ts';

type Shown = {
  /** What the user has seen in the checkout, trusted or not. */
  readonly seen: readonly string[];
  /** The user trusts it unseen, from now on. */
  readonly grant: boolean;
  /** The state of the work that has these lines, and how it is trusted. */
  readonly what: string;
  readonly hint: string;
};

/** Refuses what another state of the work than the checkout would start, where its user has neither trusted nor seen it. */
export async function requireKnown(
  { project, trust }: Pick<World, 'project' | 'trust'>,
  lines: readonly string[],
  { seen, grant, what, hint }: Shown,
): Promise<void> {
  const store = await trust();
  const trusted = (await store.trusted(project.dir)) ?? [];
  const known = new Set([...trusted, ...seen].map(withPlainEnds));
  const fresh = lines.filter((line) => !known.has(withPlainEnds(line)));
  if (fresh.length === 0) return;
  if (grant) return store.trust(project.dir, [...trusted, ...fresh]);
  const told = fresh.map((line) => `  + ${line}`).join('\n');
  throw new HelixError(
    'not_trusted',
    `${what} starts what you have not trusted; your checkout has something else there:\n${told}`,
    { hint },
  );
}
