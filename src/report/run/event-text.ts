import type { NewEvent } from '../../domain/facts/run-event.ts';
import { isSilence } from '../../domain/ladder/direction.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { firstAndLast } from '../../text/last-lines.ts';
import { oneLine } from '../../text/sanitise.ts';
import { renderChanges } from '../words/changes-text.ts';
import { pad, wrap } from '../words/columns.ts';
import { renderCost } from '../words/cost.ts';
import { count } from '../words/count.ts';
import { firstOf, warningsOf } from '../words/first-finding.ts';
import { growthWords } from '../words/growth-words.ts';
import { overrideText } from '../words/overrides.ts';
import { questionLines } from '../words/question-words.ts';
import { renderDuration, renderTime } from '../words/time.ts';
import { gateName, ownCommand } from './gate-name.ts';
import { meetingSentence } from './meeting-text.ts';

const LONGEST = 24;
/** A preparation that takes longer than this is worth a word. */
const SLOW_MS = 1000;

/** One plain line for a fact: what it is about, then what happened. */
export function renderEvent(event: NewEvent, plan: Plan): string {
  const longest = plan.phases.reduce((length, phase) => Math.max(length, phase.id.length), 'run'.length);
  const subject = subjectOf(event);
  const width = Math.max(subject.length, Math.min(longest, LONGEST));
  return `${pad(subject, width)}  ${sentence(event, plan)}`;
}

function subjectOf(event: NewEvent): string {
  if ('phase' in event.data) return oneLine(event.data.phase, 64);
  return 'run';
}

function sentence(event: NewEvent, by: Plan): string {
  switch (event.type) {
    case 'run_started': {
      const { run, plan, simulated } = event.data;
      return `${run} started: ${oneLine(plan.project.name, 80)}, ${count(plan.phases.length, 'phase')}${simulated ? ' (simulated)' : ''}`;
    }
    case 'run_resumed':
      return 'resumed';
    case 'attempt_started': {
      const { attempt, preparedMs = 0 } = event.data;
      const ready = preparedMs < SLOW_MS ? '' : `, ready after ${renderDuration(preparedMs)}`;
      return `attempt ${attempt} started (${whoWorks(event.data)})${ready}`;
    }
    case 'attempt_finished': {
      const { attempt, durationMs, cost } = event.data;
      return `attempt ${attempt} done in ${renderDuration(durationMs)}: ${workText(event.data)}, ${renderCost(cost)}`;
    }
    case 'attempt_interrupted':
      return interruptedText(event.data);
    case 'attempt_joined':
      return joinText(event.data);
    case 'attempt_judged':
      return verdictsText(event.data.verdicts, by.phases.find(({ id }) => id === event.data.phase)?.gates ?? []);
    case 'judging_interrupted':
      return `${oneLine(event.data.gate, 40)}: judging interrupted: ${broken(event.data)}`;
    case 'approval_started':
      return `approval ${event.data.of} asked (${whoWorks(event.data)}): ${event.data.approval}`;
    case 'approval_finished':
      return approvalText(event.data);
    case 'approval_interrupted':
      return `approval ${event.data.approval} interrupted: ${broken(event.data)}`;
    case 'phase_sent_back': {
      const { target, others = [], rework, voided } = event.data;
      const all = [target, ...others.map((other) => other.target)];
      return `sends the work back to ${all.join(', ')} (rework ${rework}); to be done again: ${voided.join(', ')}`;
    }
    case 'consultation_started': {
      const { purpose, agent, because } = event.data;
      const what = purpose === 'decide' ? 'asked how to go on' : 'asked what to tell you';
      return `consultant ${what} (${oneLine(agent, 40)}): ${oneLine(because)}`;
    }
    case 'consultation_finished':
      return consultationText(event.data);
    case 'consultation_refused':
      return `the consultant's answer cannot be used: ${oneLine(event.data.reasons.join('; '))}`;
    case 'consultation_interrupted':
      return `consultant interrupted: ${broken(event.data)}`;
    case 'plan_reverted':
      return `goes back to ${event.data.target} (${event.data.by}); to be done again: ${event.data.voided.join(', ')}`;
    case 'phase_accepted':
      return acceptanceText(event.data);
    case 'phase_failed':
      return `failed: ${oneLine(event.data.reason)}`;
    case 'phase_skipped':
      return `skipped: ${oneLine(event.data.reason)}`;
    case 'experts_chosen':
    case 'meeting_asked':
    case 'meeting_answered':
    case 'meeting_refused':
    case 'meeting_interrupted':
    case 'expert_left_out':
    case 'answer_assumed':
    case 'criteria_skipped':
      return meetingSentence(event);
    default:
      return runSentence(event);
  }
}

function whoWorks({ agent, model }: { readonly agent: string; readonly model?: string | undefined }): string {
  return [oneLine(agent, 40), ...(model === undefined ? [] : [oneLine(model, 80)])].join(', ');
}

type RunFact = Extract<
  NewEvent,
  {
    type:
      | 'run_replanned'
      | 'plan_grown'
      | 'human_asked'
      | 'decision_taken'
      | 'notification_sent'
      | 'approval_marked'
      | 'guidance_given'
      | 'cancel_requested'
      | 'run_parked'
      | 'run_interrupted'
      | 'run_finished';
  }
>;

function runSentence(event: RunFact): string {
  switch (event.type) {
    case 'run_replanned': {
      const { actor, voided, rejudged } = event.data;
      const what = [...voided.map((id) => `${id} again`), ...rejudged.map((id) => `${id} judged again`)];
      return `plan changed by ${oneLine(actor, 80)}: ${what.join(', ') || 'nothing done so far is touched'}`;
    }
    case 'plan_grown':
      return `the plan: ${growthWords(event.data)}`;
    case 'human_asked': {
      const { request, options } = event.data;
      const question = questionLines(event.data, 500).join(' ');
      return `asks: ${question} (helix decide ${request} ${options.map((option) => oneLine(option.id, 8)).join('|')})`;
    }
    case 'decision_taken': {
      const { request, option, decision, actor, comment } = event.data;
      const said = comment === undefined ? '' : `: ${oneLine(comment)}`;
      const who = isSilence({ actor }) ? 'nobody answered in time' : `answered by ${oneLine(actor, 80)}`;
      return `${request} ${who}: ${oneLine(option, 8)} (${decision.action})${said}`;
    }
    case 'notification_sent':
      return `${event.data.request} was told by ${event.data.channel}`;
    case 'approval_marked': {
      const { approval, as, note, actor } = event.data;
      const said = note === undefined ? '' : `: ${oneLine(note)}`;
      return `approval ${oneLine(approval, 80)} marked ${as} by ${oneLine(actor, 80)}${said}`;
    }
    case 'guidance_given': {
      const { phases, words, actor } = event.data;
      return `${oneLine(actor, 80)} tells ${phases.join(', ')}: ${oneLine(words)}`;
    }
    case 'cancel_requested':
      return `cancel requested by ${oneLine(event.data.actor, 80)}`;
    case 'run_parked':
      return `parked (${event.data.reason}): ${oneLine(event.data.message)}`;
    case 'run_interrupted':
      return `interrupted by ${oneLine(event.data.signal, 40)}`;
    case 'run_finished':
      return `${event.data.status}${event.data.reason === undefined ? '' : `: ${oneLine(event.data.reason)}`}`;
  }
}

/** What the attempt changed; older journals tell only how many files its tree holds. */
function workText({ files, changed }: Extract<NewEvent, { type: 'attempt_finished' }>['data']): string {
  return changed === undefined ? `a tree of ${count(files, 'file')}` : `${count(changed, 'file')} changed`;
}

function interruptedText(data: Extract<NewEvent, { type: 'attempt_interrupted' }>['data']): string {
  const { attempt, cost, until } = data;
  const more = [
    ...(until === undefined ? [] : [`worth another try at ${renderTime(until)}`]),
    ...(cost === undefined || cost.usd === 0 ? [] : [renderCost(cost)]),
  ];
  return [`attempt ${attempt} interrupted: ${broken(data)}`, ...more].join('; ');
}

function approvalText({ result, cost, durationMs }: Extract<NewEvent, { type: 'approval_finished' }>['data']): string {
  const { approval_type: of, result: outcome, confidence, findings, cached, stage } = result;
  const how = cached
    ? 'from the cache'
    : stage === 'pre_check'
      ? 'by the free checks'
      : `after ${renderDuration(durationMs)}, ${renderCost(cost)}`;
  const found = findings.length === 0 ? '' : `, ${count(findings.length, 'finding')}`;
  return `approval ${of}: ${outcome} (confidence ${confidence})${found}, ${how}`;
}

function consultationText({
  outcome,
  changes,
  target,
  answer,
}: Extract<NewEvent, { type: 'consultation_finished' }>['data']): string {
  const next = outcome === 'ask' ? 'a human should decide' : renderChanges({ changes, ...present({ target }) });
  return `consultant: ${next}; ${oneLine(answer.analysis.root_cause)}`;
}

function joinText({ with: others, conflicts }: Extract<NewEvent, { type: 'attempt_joined' }>['data']): string {
  const merged = `merged with ${others.join(', ')}`;
  return conflicts.length === 0 ? merged : `${merged}: ${count(conflicts.length, 'conflict')}`;
}

type Accepted = Extract<NewEvent, { type: 'phase_accepted' }>['data'];

function acceptanceText({ phase, attempt, commit, published, note, override }: Accepted): string {
  const at = published === undefined ? '' : `, branch at ${published.commit?.slice(0, 12) ?? 'no commit yet'}`;
  const kept = published?.keptOut.filter((file) => file.phase === phase).length ?? 0;
  const off = kept === 0 ? '' : `, ${count(kept, 'file')} kept off it`;
  const where = published === undefined && commit !== undefined ? ` as ${commit.slice(0, 12)}` : at + off;
  const how = override === undefined ? 'passed' : overrideText(override);
  return `${how} with attempt ${attempt}${where}${note === undefined ? '' : ` (${oneLine(note)})`}`;
}

function broken(data: { failure: string; message: string }): string {
  return `${data.failure}: ${oneLine(data.message)}`;
}

/** The first gate that did not pass with its first error, or all that passed with what they warn of. */
function verdictsText(verdicts: readonly Verdict[], gates: readonly Gate[]): string {
  const name = (index: number) => gateName(verdicts[index]?.gate ?? '', ownCommand(gates[index]));
  const at = verdicts.findIndex((verdict) => verdict.outcome !== 'pass');
  const failed = verdicts[at];
  if (failed === undefined) return passText(verdicts, verdicts.map((_, index) => name(index)).join(', '));
  const first = firstOf(failed.findings);
  const found = first === undefined ? 'no finding given' : firstAndLast(first);
  const more = failed.findings.length - 1;
  return `${name(at)}: ${failed.outcome}: ${found}${more > 0 ? ` (and ${more} more)` : ''}`;
}

function seenText({ tests, files }: NonNullable<Verdict['reproduced']>): string {
  const names = tests.length > 0 ? tests : files;
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return `the bug is seen: ${oneLine(names.slice(0, 3).join(', '))}${more}`;
}

/** A line for a fact on a terminal: what goes beyond its width goes on below, for the reason stands last. */
export function foldEvent(line: string, width: number): string[] {
  const [subject = ''] = /^\S+\s+/.exec(line) ?? [];
  const indent = subject.length < width / 2 ? subject.length : 2;
  return wrap(line.slice(subject.length), width - indent).map(
    (part, index) => `${index === 0 ? subject : ' '.repeat(indent)}${part}`,
  );
}

function passText(verdicts: readonly Verdict[], gates: string): string {
  if (gates === '') return 'judged: no gate to pass';
  const warnings = warningsOf(verdicts.flatMap(({ findings }) => findings));
  const [first] = warnings;
  const seen = verdicts.flatMap(({ reproduced }) => (reproduced === undefined ? [] : [seenText(reproduced)]));
  return `${[`${gates}: pass`, ...seen].join(', ')}${first === undefined ? '' : `, ${count(warnings.length, 'warning')}: ${oneLine(first.message)}`}`;
}
