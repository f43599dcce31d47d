import type { Notice } from '../../ports/notifier.ts';

/** The last line: whatever stands before it was written by others. */
const MARK = /<!-- helix-request: (\S{1,200}) ([0-9a-f]{24}) -->\s*$/;

/** The request a comment tells of, and its mark; undefined for every other comment. */
export function markOf(body: string): { request: string; mark: string } | undefined {
  const [, request, mark] = MARK.exec(body) ?? [];
  return request === undefined || mark === undefined ? undefined : { request, mark };
}

/** A notice as a comment: what others wrote stands in a fence, where it links, mentions and commands nothing. */
export function commentOf({ document, mark }: Notice): string {
  const { request, project, phase, question, options, analysis, deadline } = document;
  const [first] = options;
  const said = [
    question,
    '',
    ...options.map(
      ({ id, description, effort, recommended }) =>
        `${id}  ${description} (effort: ${effort}${recommended ? '; recommended' : ''})`,
    ),
    ...(analysis === undefined
      ? []
      : ['', `Problem: ${analysis.problem}`, `Cause: ${analysis.suspected_cause}`, `Learned: ${analysis.learning}`]),
  ].join('\n');
  const fence = '`'.repeat(Math.max(3, ...[...said.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return [
    '**HELIX needs a decision**',
    '',
    `${fence}text`,
    `Phase ${phase} of ${project}`,
    '',
    said,
    fence,
    '',
    `Answer with a comment that begins with \`/helix ${first?.id ?? 'A'}\`, followed by what you want to say.`,
    `When several questions are open, begin with \`/helix ${request} ${first?.id ?? 'A'}\`.`,
    ...(deadline === undefined ? [] : [`HELIX waits until ${deadline}.`]),
    '',
    `<!-- helix-request: ${request} ${mark} -->`,
    '',
  ].join('\n');
}
