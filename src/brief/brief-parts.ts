import type { Gate } from '../domain/plan/gate.ts';
import type { BriefSource } from './brief-facts.ts';
import type { BriefTemplates } from './render-brief.ts';

/** A part of a brief and where it comes from. */
export type BriefPart = { readonly part: string; readonly from: string };

type Origin = {
  /** The file of the plan. */
  readonly plan: string;
  /** Where conventions and definitions are read: the commit a run builds on, or the project when it began. */
  readonly conventions: string;
  readonly templates: BriefTemplates;
};

/** Where every part of an attempt's brief comes from, in the order of the shipped template; what is not there is not listed. */
export function briefParts(source: BriefSource, { plan, conventions, templates }: Origin): BriefPart[] {
  const { phase, attempt } = source;
  const described = phase.description ?? phase.config.description;
  const last = `the judgement of attempt ${attempt - 1}`;
  const parts: (BriefPart | false | undefined)[] = [
    { part: 'frame', from: templates.skeleton.path },
    { part: 'role', from: templates.role.path },
    hasLimits(source) && { part: 'money and time', from: 'the budget, less what is spent and reserved' },
    source.plan.project.description !== undefined && {
      part: 'about the project',
      from: `${plan}: project.description`,
    },
    {
      part: 'task',
      from: described === undefined ? `made of type and outputs in ${plan}` : `${plan}: ${phase.id}.description`,
    },
    isThere(source.request) && { part: 'request', from: 'request.md, as it was when the run began' },
    source.guidance.length > 0 && { part: 'what a human decided', from: 'answers to questions of this run' },
    source.verdicts.length > 0 && { part: 'what was wrong', from: last },
    isThere(source.rejection) && { part: 'why the work came back', from: 'the approval that was not given' },
    source.spec !== undefined && { part: 'specification', from: source.spec.path ?? 'spec.yaml' },
    hasHints(source) && { part: 'hints and additions', from: 'what a consultant or a human changed in this run' },
    { part: 'settings, place in the plan, outputs', from: plan },
    (source.earlier?.files.length ?? 0) > 0 && { part: 'what earlier phases changed', from: 'commits of this run' },
    ...source.inputs.map(({ path, from }) => ({
      part: `input ${path}`,
      from: from.phase === undefined ? `the project: ${from.path}` : `phase ${from.phase}: ${from.path}`,
    })),
    ...phase.gates.map((gate) => ({ part: `gate ${gate.type}`, from: gateSource(gate, plan) })),
    ...(source.conventions?.texts ?? []).map(({ path }) => ({ part: `convention ${bare(path)}`, from: conventions })),
    ...(source.conventions?.shipped ?? []).map(({ name }) => ({ part: `skill ${bare(name)}`, from: 'HELIX' })),
    isThere(source.language) && { part: 'language', from: 'helix.yaml: language' },
  ];
  return parts.filter((part) => part !== false && part !== undefined);
}

function gateSource({ type, settings }: Gate, plan: string): string {
  if (type === 'approval') return `${plan}, approvals/${String(settings.approval_type)}/`;
  if (type === 'verification') return `${plan}: verify_agent, approvals/verification/`;
  if (type === 'adr_complete' || type === 'adr_valid') return `${plan}, config/adr-completeness-rules.yaml`;
  if (type === 'tests_pass') return `${plan}, the trial on the untouched tree`;
  return plan;
}

function isThere(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '';
}

function hasLimits({ limits }: BriefSource): boolean {
  return limits?.usd !== undefined || limits?.ms !== undefined;
}

function hasHints({ changes }: BriefSource): boolean {
  return (changes?.hints?.length ?? 0) > 0 || Object.keys(changes?.spec ?? {}).length > 0;
}

function bare(path: string): string {
  return path.replaceAll('`', '');
}
