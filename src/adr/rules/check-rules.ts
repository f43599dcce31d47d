import type { Adr, AdrFinding, Place } from '../document/adr.ts';
import { AdrText } from './adr-text.ts';
import { meets } from './condition.ts';
import { type Lack, lacksOf } from './requirement.ts';
import type { Rule, RuleSet } from './rule-set.ts';

/** What the context rules found in one ADR, and how many of them applied. */
export type RulesChecked = {
  readonly findings: AdrFinding[];
  readonly checked: number;
  readonly triggered: number;
  readonly passed: number;
};

/** Checks an ADR against the rules its own context calls for (layer 2). */
export function checkRules(adr: Adr, set: RuleSet, { profile }: { readonly profile: string }): RulesChecked {
  const text = new AdrText(adr);
  const findings: AdrFinding[] = [];
  let triggered = 0;
  for (const rule of set.rules) {
    const judged = { adr, text, negation: rule.negation };
    const place = meets(rule.when, judged);
    if (place === undefined) continue;
    triggered += 1;
    const lacks = lacksOf(rule, judged);
    // Nobody who never heard of HELIX asked for its rules.
    const lowered = set.shipped && profile !== 'helix' && rule.severity === 'error';
    if (lacks.length > 0)
      findings.push(finding(adr, rule, { lacks, place, severity: lowered ? 'warning' : rule.severity }));
  }
  return { findings, checked: set.rules.length, triggered, passed: triggered - findings.length };
}

type Failure = {
  readonly lacks: readonly Lack[];
  readonly place: Place;
  readonly severity: Rule['severity'];
};

function finding(adr: Adr, { id, message }: Rule, { lacks, place, severity }: Failure): AdrFinding {
  const { line, column } = lacks.find((lack) => lack.place !== undefined)?.place ?? place;
  return {
    severity,
    check: id,
    message: `${message}: ${lacks.map(({ what }) => what).join('; ')}`,
    hint: lacks.map(({ hint }) => hint).join('; '),
    layer: 2,
    location: { file: adr.path, line, column },
  };
}
