import type { Finding } from '../../domain/finding.ts';
import type { ApprovalResult } from '../../domain/judge/approval.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { oneLine } from '../../text/sanitise.ts';

/** verification.json: what the verifier made of an attempt. */
export type VerificationDocument = {
  readonly success: boolean;
  readonly feedback: string;
  readonly errors: readonly string[];
  readonly checks_passed: readonly string[];
};

/** What a verification came to, as ADR-025 has it. */
export function verificationDocument(verdict: Verdict, result: ApprovalResult | undefined): VerificationDocument {
  const success = verdict.outcome === 'pass';
  return {
    success,
    feedback: success ? '' : verdict.findings.map(sentence).join('\n'),
    errors: verdict.findings.filter(({ severity }) => severity !== 'info').map(sentence),
    checks_passed: (result?.checks ?? []).filter(({ outcome }) => outcome === 'pass').map(({ id }) => id),
  };
}

/** feedback.md: what the next attempt has to mend. */
export function renderFeedbackFile(
  verdict: Verdict,
  { attempt, max, at }: { readonly attempt: number; readonly max: number; readonly at: string },
): string {
  const open = verdict.findings.filter(({ severity }) => severity !== 'info');
  const issues = (open.length > 0 ? open : verdict.findings).map((finding) => `- ${sentence(finding)}`);
  const actions = open.flatMap(({ hint }) => (hint === undefined ? [] : [`- ${oneLine(hint, 500)}`]));
  return [
    '# Verification Feedback',
    `**Attempt**: ${attempt}/${max}`,
    `**Time**: ${at}`,
    '## Issues Found',
    issues.length === 0 ? '- the verifier did not say what is wrong' : issues.join('\n'),
    '## Required Actions',
    [...actions, '- Mend what is listed above and keep what was right; the result is verified again by itself.'].join(
      '\n',
    ),
    '---',
    '*Written by HELIX from what an independent verifier found. It is removed when the verification passes.*',
    '',
  ].join('\n\n');
}

function sentence({ check, message, location }: Finding): string {
  const place = [location?.file, location?.line].filter((part) => part !== undefined).join(':');
  return oneLine(`${place === '' ? '' : `${place}: `}${message} (${check})`, 600);
}
