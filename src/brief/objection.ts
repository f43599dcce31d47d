import type { Finding } from '../domain/finding.ts';
import type { Verdict } from '../domain/verdict.ts';
import { oneLine } from '../text/sanitise.ts';
import { inEnglish, phrase, type Say } from '../text/say.ts';

/** What a judge objects to, in one line of what is sent back with the work. */
export function objectionLine({ severity, check, message, hint, location, evidence }: Finding, say: Say): string {
  const place = [location?.file, location?.line].filter((part) => part !== undefined).join(':');
  const where = place === '' ? '' : ` ${say('at {place}', { place: oneLine(place, 300) })}`;
  const quoted =
    evidence === undefined ? '' : ` (${say('what stands there: {evidence}', { evidence: oneLine(evidence, 300) })})`;
  const more = hint === undefined ? '' : ` ${say('Hint: {hint}', { hint: oneLine(hint, 300) })}`;
  return `- ${say(severity)} (${oneLine(check, 80)})${where}: ${oneLine(message, 500)}${quoted}${more}`;
}

/** What stands before what a judge said, where the plan has no words of its own for it. */
const LEADS = [phrase('It objects to this:'), phrase('It suggests:')] as const;

/** A fence that holds nothing. */
const EMPTIED = '(`{3,})text\\n\\s*';

/** What was said of work that came back, without the findings that the same brief lists in full. */
export function wordsBeside(rejection: string, verdicts: readonly Verdict[], say: Say = inEnglish): string {
  const findings = verdicts.flatMap((verdict) => verdict.findings);
  const listed = new Set(findings.map((finding) => objectionLine(finding, say)));
  const kept = rejection.split('\n').filter((line) => !listed.has(line));
  const leads = LEADS.map((lead) => RegExp.escape(say(lead))).join('|');
  return kept
    .join('\n')
    .replaceAll(new RegExp(`^(?:${leads})\\n\\n${EMPTIED}\\1$`, 'gm'), '')
    .replaceAll(new RegExp(`^${EMPTIED}\\1$`, 'gm'), say('(listed above)'))
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
