import type { Advice, Changes, ConsultantAnswer, Purpose } from '../facts/consultation.ts';
import type { EscalationSettings } from '../plan/escalation-settings.ts';
import type { Plan } from '../plan/plan.ts';
import { present } from '../present.ts';
import { adviceOf, decisionOf, type Proposal, type Wishes } from './consultant-advice.ts';
import { phaseOfTask } from './revert.ts';
import { byteLength, checkSpecUpdates, type SpecNow, shown } from './spec-updates.ts';

const MAX_HINTS = 20;
const MAX_HINT = 1000;
const MAX_HINT_BYTES = 4096;
const MAX_REASONS = 20;

/** A model or an agent that a consultant may switch to. */
export type Switch = {
  readonly name: string;
  readonly kind: 'model' | 'agent';
  /** What the provider calls the model. */
  readonly id?: string;
  /** An attempt of the phase was made with it. */
  readonly tried: boolean;
};

/** What an answer is held against. */
export type ConsultantCase = {
  readonly purpose: Purpose;
  readonly plan: Plan;
  /** What the consultant may do by itself. */
  readonly actions: EscalationSettings['consultant']['actions'];
  readonly switches: readonly Switch[];
  /** The skills that exist. */
  readonly skills: readonly string[];
  /** The phases the run can go back to. */
  readonly targets: readonly string[];
  readonly spec: SpecNow;
};

/** What of an answer takes effect. */
export type Conclusion = {
  readonly outcome: 'retry' | 'revert' | 'ask';
  readonly changes: Changes;
  readonly target?: string;
  readonly advice?: Advice;
};

type Refuse = (reason: string) => void;

/** What a consultant's answer comes to; one that wants what is not there or not allowed is refused as a whole, with every reason. */
export function checkConsultant(
  answer: ConsultantAnswer,
  asked: ConsultantCase,
): Conclusion | { readonly refused: string[] } {
  const reasons: string[] = [];
  const wishes = wishesOf(answer.decision, asked, (reason) => reasons.push(reason));
  const options = optionsOf(answer, asked, (reason) => reasons.push(reason));
  if (reasons.length > 0) return { refused: reasons.slice(0, MAX_REASONS) };
  const { changes, target, contested } = wishes;
  if (asked.purpose === 'advise' || answer.decision.action === 'ask_human' || contested.length > 0)
    return { outcome: 'ask', changes: {}, advice: adviceOf(answer, wishes, options) };
  return target === undefined ? { outcome: 'retry', changes } : { outcome: 'revert', changes, target };
}

/** All that a decision wants changed. */
function wishesOf(decision: ConsultantAnswer['decision'], asked: ConsultantCase, refuse: Refuse): Wishes {
  const { model_switch: change, additional_skills, additional_hints, spec_updates } = decision;
  const may = allowing(asked, refuse);
  const hints = additional_hints ?? [];
  const skills = additional_skills ?? [];
  const spec =
    Object.keys(spec_updates ?? {}).length > 0 ? checkSpecUpdates(spec_updates ?? {}, asked.spec) : undefined;
  if (change) may('model_switch', 'model_switch');
  if (hints.length > 0) may('hints', 'additional_hints');
  if (skills.length > 0) may('skills', 'additional_skills');
  if (spec !== undefined) may('spec_updates', 'spec_updates');
  for (const reason of spec?.refused ?? []) refuse(reason);
  const target = targetOf(decision, asked, refuse);
  return {
    changes: {
      ...(change && switchTo(change.to, asked, refuse)),
      ...(hints.length > 0 && { hints: checkedHints(hints, refuse) }),
      ...(skills.length > 0 && { skills: checkedSkills(skills, asked, refuse) }),
      ...(Object.keys(spec?.added ?? {}).length > 0 && { spec: { ...spec?.added } }),
    },
    ...present({ target }),
    contested: spec?.contested ?? [],
  };
}

function allowing({ actions }: ConsultantCase, refuse: Refuse) {
  return (action: (typeof actions)[number], field: string) => {
    if (!actions.includes(action)) refuse(`${field}: the settings of this project do not allow it`);
  };
}

/** An entry that names an agent switches the agent, else the model. */
function switchTo(to: string, { switches }: ConsultantCase, refuse: Refuse): Changes {
  const found = switches.find(({ name }) => name === to) ?? switches.find(({ id }) => id === to);
  const open = switches.filter(({ tried }) => !tried).map(({ name }) => name);
  const hint = `allowed and not tried yet: ${open.join(', ') || 'none'}`;
  if (found === undefined) refuse(`model_switch: ${shown(to)} is not in the list of models; ${hint}`);
  else if (found.tried) refuse(`model_switch: ${shown(to)} was tried before in this phase; ${hint}`);
  return found?.kind === 'agent' ? { agent: found.name } : { model: found?.name ?? to };
}

function checkedHints(hints: readonly string[], refuse: Refuse): string[] {
  if (hints.length > MAX_HINTS) refuse(`additional_hints: ${hints.length} hints, at most ${MAX_HINTS} are taken`);
  if (hints.some((hint) => hint.length > MAX_HINT))
    refuse(`additional_hints: one is longer than ${MAX_HINT} characters`);
  if (hints.some((hint) => hint.trim() === '')) refuse('additional_hints: one is empty');
  const bytes = byteLength(hints.join(''));
  if (bytes > MAX_HINT_BYTES)
    refuse(`additional_hints: ${bytes} bytes all together, at most ${MAX_HINT_BYTES} are taken`);
  return [...hints];
}

function checkedSkills(wanted: readonly string[], { skills }: ConsultantCase, refuse: Refuse): string[] {
  const unknown = [...new Set(wanted)].filter((skill) => !skills.includes(skill));
  if (unknown.length > 0)
    refuse(`additional_skills: ${shown(unknown)} do not exist; there are: ${skills.slice(0, 50).join(', ') || 'none'}`);
  return [...new Set(wanted)];
}

function targetOf(
  { action, plan_revert: revert }: ConsultantAnswer['decision'],
  asked: ConsultantCase,
  refuse: Refuse,
): string | undefined {
  if (!revert?.enabled) {
    if (action === 'revert') refuse('action revert: plan_revert with enabled: true and revert_to_task is missing');
    return undefined;
  }
  allowing(asked, refuse)('plan_revert', 'plan_revert');
  return checkedTask(revert.revert_to_task ?? undefined, 'plan_revert', { asked, refuse });
}

type Check = { readonly asked: ConsultantCase; readonly refuse: Refuse };

function checkedTask(task: string | number | undefined, field: string, { asked, refuse }: Check): string | undefined {
  const phase = task === undefined ? undefined : phaseOfTask(task, asked.plan);
  if (phase !== undefined && asked.targets.includes(phase)) return phase;
  const wrong = phase === undefined ? 'is no phase of the plan' : 'is not a finished phase before this one';
  refuse(`${field}: revert_to_task ${shown(task)} ${wrong}; possible: ${asked.targets.join(', ') || 'none'}`);
  return undefined;
}

/** What the consultant wants a human to choose from; each of it is held to the same rules. */
function optionsOf({ options }: ConsultantAnswer, asked: ConsultantCase, refuse: Refuse): Proposal[] {
  return (options ?? []).map((option, index) => {
    const field = `options[${index}]`;
    const guidance = option.guidance ?? option.description;
    if (byteLength(guidance) > MAX_HINT_BYTES) refuse(`${field}: its guidance is longer than ${MAX_HINT_BYTES} bytes`);
    const task = option.revert_to_task;
    const target = task === undefined ? undefined : checkedTask(task, field, { asked, refuse });
    const changes =
      option.model === undefined ? {} : switchTo(option.model, asked, (reason) => refuse(`${field}: ${reason}`));
    return {
      description: option.description,
      effort: option.effort,
      recommended: option.consultant_recommendation ?? false,
      decision: decisionOf({ changes, target, guidance }),
    };
  });
}
