import type { Finding } from '../domain/finding.ts';
import type { Verdict } from '../domain/verdict.ts';
import { oneLine } from '../text/sanitise.ts';
import { inEnglish, type Say } from '../text/say.ts';

/** What a judge objects to, in one line of what is sent back with the work. */
export function objectionLine({ severity, check, message, hint, location }: Finding, say: Say): string {
  const place = [location?.file, location?.line].filter((part) => part !== undefined).join(':');
  const where = place === '' ? '' : ` ${say('at {place}', { place: oneLine(place, 300) })}`;
  const more = hint === undefined ? '' : ` ${say('Hint: {hint}', { hint: oneLine(hint, 300) })}`;
  return `- ${say(severity)} (${oneLine(check, 80)})${where}: ${oneLine(message, 500)}${more}`;
}

/** A fence that holds nothing. */
const EMPTIED = /^(`{3,})text\n\s*\1$/gm;

/** What was said of work that came back, without the findings that the same brief lists in full. */
export function wordsBeside(rejection: string, verdicts: readonly Verdict[], say: Say = inEnglish): string {
  const findings = verdicts.flatMap((verdict) => verdict.findings);
  const listed = new Set(findings.map((finding) => objectionLine(finding, say)));
  const kept = rejection.split('\n').filter((line) => !listed.has(line));
  return kept.join('\n').replaceAll(EMPTIED, say('(listed above)'));
}
