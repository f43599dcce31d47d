import type { Adr } from '../../adr/document/adr.ts';
import type { Settled } from '../../approval/question.ts';
import type { Finding } from '../../domain/finding.ts';
import { present } from '../../domain/present.ts';
import { approvalAnswer, NOBODY_TO_ASK } from '../gate/approval-answer.ts';
import type { GateAnswer, GateContext, ToAsk } from '../gate/gate-context.ts';
import type { Concept } from './read-concept.ts';

/** ADRs that layer 4 may be asked about. */
export type AdrSubject = {
  readonly adrs: readonly Adr[];
  /** As the plan says it, where YAML makes a truth value of `true`. */
  readonly semantic: 'auto' | 'true' | 'false' | boolean | undefined;
  readonly concept: Concept | undefined;
};

/** What is looked up before a judge of ADRs is asked. */
export const NAMED_FILES: Settled = {
  words:
    'the paths that headers name under files: what is to be modified exists in the project, what is to be created did not exist before',
};

/** What layer 4 asks a judge; undefined where it is not wanted. */
export function requestAbout({ adrs, semantic, concept }: AdrSubject): ToAsk | undefined {
  const wanted = String(semantic ?? 'auto');
  const asked = wanted === 'true' || (wanted === 'auto' && (concept !== undefined || adrs.some(isMajor)));
  if (!asked) return undefined;
  return {
    type: 'adr',
    role: 'reviewer',
    files: adrs.map(({ path }) => path),
    settled: [NAMED_FILES],
    ...present({ concept }),
  };
}

/** Layer 4: lets an independent judge look at ADRs that the free checks let pass with `findings`, where that is wanted. */
export async function askAboutAdrs(
  subject: AdrSubject,
  findings: readonly Finding[],
  { approver }: Pick<GateContext, 'approver'>,
): Promise<GateAnswer> {
  const request = requestAbout(subject);
  if (request === undefined) return { kind: 'judged', outcome: 'pass', findings };
  if (approver === undefined) {
    if (String(subject.semantic) === 'true') return NOBODY_TO_ASK;
    return { kind: 'judged', outcome: 'pass', findings: [...findings, notAsked()] };
  }
  const answer = await approver.ask({ ...request, found: findings });
  return answer.kind === 'interrupted' ? answer : approvalAnswer(answer.result, { found: findings });
}

function isMajor({ frontMatter }: Adr): boolean {
  return /^\s*major\s*$/i.test(String(frontMatter?.fields.change_scope ?? ''));
}

function notAsked(): Finding {
  return {
    severity: 'info',
    check: 'adr_complete',
    message: 'layer 4 was not asked: only layers 1 to 3 have judged this',
    hint: 'A run of the plan asks it, and so does: helix approve adr',
  };
}
