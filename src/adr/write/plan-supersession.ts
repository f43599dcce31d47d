import { HelixError } from '../../domain/helix-error.ts';
import type { AdrCorpus } from '../corpus/adr-corpus.ts';
import { nameOf, statusName } from '../corpus/own-id.ts';
import type { Adr } from '../document/adr.ts';
import { markSuperseded, markSuperseding } from './supersede.ts';
import { supersessionTrouble } from './supersession-trouble.ts';

/** The texts of both ADRs after one superseded the other; a text that need not change is not there. */
export type Supersession = { readonly old?: string; readonly successor?: string };

/** Says why one ADR cannot supersede another. */
export function supersessionProblem(corpus: AdrCorpus, old: Adr, successor: Adr): string | undefined {
  if (old === successor) return `${nameOf(old)} cannot supersede itself`;
  const older = new Map<Adr, Adr[]>();
  for (const { from, to, reference } of corpus.relations) {
    if (to === undefined || (reference.kind !== 'supersedes' && reference.kind !== 'superseded_by')) continue;
    const [young, replaced] = reference.kind === 'supersedes' ? [from, to] : [to, from];
    older.set(young, [...(older.get(young) ?? []), replaced]);
  }
  const seen = new Set([old]);
  for (const adr of seen) for (const each of older.get(adr) ?? []) seen.add(each);
  return seen.has(successor) ? `${nameOf(old)} itself supersedes ${nameOf(successor)}` : undefined;
}

/** Plans what `supersede` writes; what both already say is left as it is. Throws where a file cannot be made to say it. */
export function planSupersession(
  corpus: AdrCorpus,
  {
    old,
    successor,
    texts,
  }: { readonly old: Adr; readonly successor: Adr; readonly texts: ReadonlyMap<string, string> },
): Supersession {
  const says = (from: Adr, to: Adr, kind: string): boolean =>
    corpus.relations.some((each) => each.from === from && each.to === to && each.reference.kind === kind);
  const marked = says(old, successor, 'superseded_by') && statusName(old) === 'superseded';
  const [oldText = '', text = ''] = [texts.get(old.path), texts.get(successor.path)];
  const plan = {
    ...(!marked && { old: markSuperseded({ adr: old, text: oldText }, successor) }),
    ...(!says(successor, old, 'supersedes') && { successor: markSuperseding({ adr: successor, text }, old) }),
  };
  const trouble = supersessionTrouble(corpus, { old, successor, oldText: plan.old, text: plan.successor });
  if (trouble === undefined) return plan;
  const { frontMatter } = trouble.path === old.path ? old : successor;
  const way = frontMatter === undefined ? '' : ', or each field of the front matter on a line of its own';
  throw new HelixError('usage', `${trouble.path} cannot be edited: ${trouble.why}`, {
    hint: `Nothing was written. Write it into both by hand${way}.`,
  });
}
