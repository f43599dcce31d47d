import { posix } from 'node:path';
import { type BriefFacts, type BriefSource, briefFacts } from '../../brief/brief-facts.ts';
import { briefTemplates } from '../../brief/choose-template.ts';
import type { Conventions } from '../../brief/conventions.ts';
import { type BriefTemplates, renderPhaseBrief } from '../../brief/render-brief.ts';
import { type ReviewMaterial, reviewSection } from '../../brief/review-section.ts';
import type { InputFile } from '../../domain/facts/run-event.ts';
import type { PhaseState, RunState } from '../../domain/facts/run-state.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { lastAttempt, setupOf } from '../step/changed-phase.ts';

type Template = (name: string) => Promise<string | undefined>;
type Attempt = {
  readonly state: RunState;
  readonly phase: Phase;
  readonly attempt: number;
  readonly inputs: readonly InputFile[];
  readonly conventions: Conventions;
  /** What a review is about. */
  readonly reviewed?: ReviewMaterial | undefined;
  /** Where the verifier's feedback lies for the agent. */
  readonly feedbackFile?: string | undefined;
};

/** What the agent of an attempt is told. */
export function renderAttempt(
  { state, phase, attempt, inputs, conventions, feedbackFile, reviewed }: Attempt,
  template: Template,
): Promise<string> {
  const at = state.phases.get(phase.id);
  const { skills } = setupOf(phase, state);
  const changed = skills.length === 0 ? phase : { ...phase, config: { ...phase.config, skills: [...skills] } };
  const maxAttempts = lastAttempt(phase, at, state);
  const source = {
    plan: state.plan,
    phase: changed,
    // How often others have read the work is nothing a reviewer should go by.
    ...(reviewed === undefined ? { attempt, maxAttempts } : { attempt: 1, maxAttempts: 1 }),
    inputs,
    conventions,
    request: state.request,
  };
  const { specChanges } = state;
  const { guidance = [], changes } = at?.history ?? {};
  const judged = reviewed === undefined ? judgementOf(at) : ownMistakes(at);
  const about = reviewed === undefined ? undefined : reviewSection(reviewed);
  return render({ ...source, ...judged, guidance, feedbackFile, changes, specChanges }, template, about);
}

type Judged = Pick<BriefSource, 'verdicts' | 'rejection' | 'returns' | 'progress'>;

function judgementOf(at: PhaseState | undefined): Judged {
  const progress = at && { seen: at.rung.seen, mended: at.mended };
  return { verdicts: at?.lastVerdicts ?? [], rejection: at?.feedback, returns: at?.returns, ...present({ progress }) };
}

/** A reviewer is told what it did not deliver, and never what was found in the work before. */
function ownMistakes(at: PhaseState | undefined): Judged {
  const verdicts = at?.current?.authors === undefined ? (at?.lastVerdicts ?? []) : [];
  return { verdicts };
}

/** Renders every brief once before anything starts, so that a broken template costs nothing; throws HelixError `config`. */
export async function checkBriefs(plan: Plan, template: Template): Promise<void> {
  const rendered = new Set<string>();
  for (const phase of plan.phases) {
    const nothing = { attempt: 1, maxAttempts: 1, inputs: [], verdicts: [], guidance: [] };
    const brief = await compose({ plan, phase, ...nothing }, template);
    const likeness = likenessOf(brief);
    if (likeness !== undefined && rendered.has(likeness)) continue;
    await renderPhaseBrief(brief.templates, brief.facts);
    if (likeness !== undefined) rendered.add(likeness);
  }
}

type Composed = { readonly templates: BriefTemplates; readonly facts: BriefFacts };

const COMPARES = /\{%[^%]*(?:==|!=|<|>\s*[^\s\d]|contains|case)/;

/** What decides whether a brief can be rendered: its templates, and what is there; a template that compares texts is its own case. */
function likenessOf({ templates: { skeleton, role }, facts }: Composed): string | undefined {
  if (COMPARES.test(skeleton.text) || COMPARES.test(role.text)) return undefined;
  return `${role.path} ${JSON.stringify(facts, (_key, value) => (typeof value === 'string' ? value !== '' : value))}`;
}

async function render(source: BriefSource, template: Template, about?: string): Promise<string> {
  const { templates, facts } = await compose(source, template);
  return renderPhaseBrief(templates, facts, about);
}

async function compose(source: BriefSource, template: Template): Promise<Composed> {
  const templates = await briefTemplates(source.phase, (path) => template(posix.relative('templates', path)));
  return { templates, facts: briefFacts(source) };
}
