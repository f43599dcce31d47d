import { askedOf } from '../../domain/facts/asked-of.ts';
import { findingsOf, type RequestState, type RunState } from '../../domain/facts/run-state.ts';
import type { Finding } from '../../domain/finding.ts';
import { leftLine } from '../../domain/ladder/circumstances.ts';
import type { NoticeDocument } from '../../domain/ladder/notice.ts';
import { unheard } from '../../domain/ladder/unheard.ts';
import { present } from '../../domain/present.ts';
import type { Notice } from '../../ports/notifier.ts';
import { optionEffect } from '../../report/ladder/option-effect.ts';
import { renderLocation } from '../../report/words/findings-text.ts';
import { firstOf } from '../../report/words/first-finding.ts';
import { sha256 } from '../../text/digest.ts';
import { excerpt, oneLine } from '../../text/sanitise.ts';

/** No receiver of messages takes more than that for granted. */
const MOST_BYTES = 64 * 1024;
/** How long a text may be; where all of them together are too much, each is cut shorter. */
const LENGTHS = [4000, 1000, 250, 60];
const OPTIONS = 26;
const LAST_LINES = 12;
const MARK_LENGTH = 24;

/** A question as people are told of it: bounded, without secrets, and safe to show. */
export function noticeOf(state: RunState, request: RequestState, redact: (text: string) => string): Notice {
  const [longest = 0, ...shorter] = LENGTHS;
  let document = documentOf(state, request, { redact, length: longest });
  for (const length of shorter) {
    if (Buffer.byteLength(JSON.stringify(document)) <= MOST_BYTES) break;
    document = documentOf(state, request, { redact, length });
  }
  return { document, mark: sha256(`${state.marker} ${request.id}`).slice(0, MARK_LENGTH) };
}

type Writing = { readonly redact: (text: string) => string; readonly length: number };

function documentOf(state: RunState, request: RequestState, { redact, length }: Writing): NoticeDocument {
  const text = (long: string) => excerpt(redact(long), length);
  const line = (short: string) => oneLine(redact(short), length / 4);
  const { id, deadline, analysis } = request;
  const told = {
    schema: 'helix.notice/1',
    run: state.run,
    request: id,
    project: line(state.plan.project.name),
    phase: line(request.phase),
    ...contextOf(state, request, { text, line }),
    question: text(request.question),
    options: request.options.slice(0, OPTIONS).map((option) => ({
      ...{ id: oneLine(option.id, 8), description: line(option.description), effort: line(option.effort) },
      ...{ recommended: option.recommended, effect: line(optionEffect(option, request, state)) },
    })),
    askedAt: request.askedAt,
    ...present({ deadline }),
    ...(analysis !== undefined && {
      analysis: {
        problem: text(analysis.problem),
        suspected_cause: text(analysis.suspected_cause),
        learning: text(analysis.learning),
      },
    }),
    answer: `helix decide ${id} ${oneLine(request.options[0]?.id ?? 'A', 8)} --comment "..."`,
  } as const;
  return { ...told, text: slackText(told) };
}

type Words = { readonly text: (long: string) => string; readonly line: (short: string) => string };

/** What somebody must know who has thirty seconds: why, what failed first and where, what was asked, and what is left. */
function contextOf(
  state: RunState,
  { phase: id, because }: RequestState,
  { text, line }: Words,
): Partial<NoticeDocument> {
  const phase = state.plan.phases.find((each) => each.id === id);
  const at = state.phases.get(id);
  const found = at && (unheard(at) ?? firstOf(findingsOf(at)));
  const task = phase?.description ?? phase?.name;
  const asked = askedOf(state);
  return {
    ...(because !== undefined && { reason: text(because) }),
    ...(found !== undefined && { fails: failing(found, { text, line }) }),
    ...(asked !== undefined && { asked_for: line(asked) }),
    ...(task !== undefined && { task: line(task) }),
    left: line(leftLine(state)),
  };
}

function failing({ check, location, message }: Finding, { text, line }: Words): NonNullable<NoticeDocument['fails']> {
  const place = renderLocation(location);
  const last = message.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
  return { check: line(check), ...(place !== '' && { place: line(place) }), message: text(last) };
}

/** All of it as one text, in which nothing that others wrote is a link, a mention or a command. */
function slackText({
  project,
  phase,
  reason,
  fails,
  asked_for,
  task,
  left,
  question,
  options,
  analysis,
  deadline,
  answer,
}: Omit<NoticeDocument, 'text'>): string {
  return [
    `HELIX needs a decision: phase ${phase} of ${project}`,
    ...(reason === undefined ? [] : [reason]),
    ...(fails === undefined
      ? []
      : [`Fails: ${fails.check}${fails.place === undefined ? '' : ` (${fails.place})`}: ${fails.message}`]),
    ...(task === undefined ? [] : [`Task: ${task}`]),
    ...(asked_for === undefined ? [] : [`Asked for: ${asked_for}`]),
    ...(left === undefined ? [] : [left]),
    question,
    ...(analysis === undefined ? [] : [`Problem: ${analysis.problem}`, `Suspected cause: ${analysis.suspected_cause}`]),
    ...options.map(
      ({ id, description, effort, recommended, effect = '' }) =>
        `${id}  ${description} (effort: ${effort}${recommended ? '; recommended' : ''})${effect === '' ? '' : ` → ${effect}`}`,
    ),
    ...(deadline === undefined ? [] : [`HELIX waits until ${deadline}.`]),
    `Answer with: ${answer}`,
  ]
    .join('\n')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
