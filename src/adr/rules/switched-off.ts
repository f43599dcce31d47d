import type { Adr } from '../document/adr.ts';
import { AdrText } from './adr-text.ts';
import { meets } from './condition.ts';
import type { RuleSet } from './rule-set.ts';

/** The ids of the rules that would apply to an ADR if its header still said what it said before. */
export function switchedOff(adr: Adr, former: Adr, { rules }: RuleSet): string[] {
  const asBefore: Adr = { ...adr, frontMatter: former.frontMatter, statuses: former.statuses };
  const [before, now] = [applying(asBefore), applying(adr)];
  return rules.flatMap((rule) => (before(rule) && !now(rule) ? [rule.id] : []));
}

function applying(adr: Adr): (rule: RuleSet['rules'][number]) => boolean {
  const text = new AdrText(adr);
  return ({ when, negation }) => meets(when, { adr, text, negation }) !== undefined;
}
