import {
  type Advice,
  type Changes,
  type ConsultantAnswer,
  type Decision,
  isUnchanged,
  mergeChanges,
} from '../facts/consultation.ts';
import { present } from '../present.ts';
import type { Contested } from './spec-updates.ts';

const MAX_QUESTION = 2000;

/** One thing a human can choose. */
export type Proposal = Advice['options'][number];

/** All that a consultant's decision wants changed. */
export type Wishes = { readonly changes: Changes; readonly target?: string; readonly contested: readonly Contested[] };

type Choice = { readonly changes: Changes; readonly target?: string | undefined; readonly guidance?: string };

/** What choosing a proposal does. */
export function decisionOf({ changes, target, guidance }: Choice): Decision {
  const more = { ...present({ guidance }), ...(!isUnchanged(changes) && { changes }) };
  return target === undefined ? { action: 'retry', ...more } : { action: 'revert', phase: target, ...more };
}

/** What is put before the human: the consultant's analysis, its question, and what it would do. */
export function adviceOf(
  { analysis, question }: ConsultantAnswer,
  wishes: Wishes,
  options: readonly Proposal[],
): Advice {
  const asks = question?.trim() || undefined;
  const contested = wishes.contested.length > 0 ? questionAbout(wishes.contested) : undefined;
  const both = [contested, asks].filter((text) => text !== undefined).join('\n\n');
  return {
    analysis: {
      problem: analysis.failure_summary,
      suspected_cause: analysis.root_cause,
      learning: analysis.learning ?? '',
    },
    ...(both !== '' && { question: both }),
    options: [...proposals(wishes, options), ...options],
  };
}

function questionAbout(contested: readonly Contested[]): string {
  const list = contested.map(({ path, wish }) => `${path}: ${wish}`).join('; ');
  const text = `The consultant would change the specification and not only add to it: ${list}. May it?`;
  return text.length > MAX_QUESTION ? `${text.slice(0, MAX_QUESTION - 1)}…` : text;
}

/** What the consultant would do, for the human to choose. */
function proposals({ changes, target, contested }: Wishes, options: readonly Proposal[]): Proposal[] {
  const what = wordsOf(changes, target);
  if (contested.length === 0) {
    if (isUnchanged(changes) && target === undefined) return [];
    const recommended = !options.some((option) => option.recommended);
    const description = `Do what the consultant would do: ${what}`;
    return [{ description, effort: 'low', recommended, decision: decisionOf({ changes, target }) }];
  }
  const all = mergeChanges(changes, agreedTo(contested));
  return [
    {
      description: `Change the specification as the consultant wants (${contested.map(({ path }) => path).join(', ')}) and ${what}`,
      effort: 'low',
      recommended: false,
      decision: decisionOf({ changes: all, target }),
    },
    {
      description: `Leave the specification as it is and ${what}`,
      effort: 'low',
      recommended: false,
      decision: decisionOf({ changes, target }),
    },
  ];
}

/** What a human agrees to is put there where it can be; else it stands there in words. */
function agreedTo(contested: readonly Contested[]): Changes {
  const override = contested.flatMap(({ path, instead }) => (instead === undefined ? [] : [[path, instead] as const]));
  const words = contested.flatMap(({ path, wish, instead }): [string, string[]][] =>
    instead === undefined ? [[path, [`changed, and a human agreed to it: ${wish}`]]] : [],
  );
  return { override: Object.fromEntries(override), spec: Object.fromEntries(words) };
}

function wordsOf({ model, agent, hints, skills, spec }: Changes, target: string | undefined): string {
  const parts = [
    ...(target === undefined ? [] : [`go back to phase ${target}`]),
    ...(model === undefined ? [] : [`switch to the model ${model}`]),
    ...(agent === undefined ? [] : [`switch to the agent ${agent}`]),
    ...(hints === undefined ? [] : [`give the agent ${hints.length} ${hints.length === 1 ? 'hint' : 'hints'}`]),
    ...(skills === undefined ? [] : [`use the skills ${skills.join(', ')}`]),
    ...(spec === undefined ? [] : [`add to the specification (${Object.keys(spec).join(', ')})`]),
  ];
  return parts.length === 0 ? 'try again' : parts.join(', ');
}
