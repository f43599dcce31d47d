import type { Adr } from '../../adr/document/adr.ts';
import type { Finding } from '../../domain/finding.ts';
import { approvalAnswer, NOBODY_TO_ASK } from '../gate/approval-answer.ts';
import type { GateAnswer, GateContext } from '../gate/gate-context.ts';
import { judgedFiles } from '../gate/judged-files.ts';

type Subject = {
  readonly adrs: readonly Adr[];
  /** What layers 1 to 3 found: no error. */
  readonly findings: readonly Finding[];
  /** As the plan says it, where YAML makes a truth value of `true`. */
  readonly semantic: 'auto' | 'true' | 'false' | boolean | undefined;
  readonly concept: string | undefined;
};

/** Layer 4: lets an independent judge look at ADRs that the free checks let pass, where that is wanted. */
export async function askAboutAdrs(subject: Subject, context: GateContext): Promise<GateAnswer> {
  const { adrs, findings, concept } = subject;
  const { approver } = context;
  const wanted = String(subject.semantic ?? 'auto');
  const asked = wanted === 'true' || (wanted === 'auto' && (concept !== undefined || adrs.some(isMajor)));
  if (!asked) return { kind: 'judged', outcome: 'pass', findings };
  if (approver === undefined) {
    if (wanted === 'true') return NOBODY_TO_ASK;
    return { kind: 'judged', outcome: 'pass', findings: [...findings, notAsked()] };
  }
  const beside = concept === undefined ? [] : judgedFiles([concept], context, approver).paths;
  const files = [...new Set([...adrs.map(({ path }) => path), ...beside])];
  const answer = await approver.ask({ type: 'adr', role: 'reviewer', files, found: findings });
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
