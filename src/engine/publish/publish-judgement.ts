import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Files } from '../../ports/files.ts';
import { verdictsDocument } from '../../report/run/attempts.ts';
import { verificationDocument } from '../../report/run/verification.ts';
import { renderJson } from '../../report/words/json.ts';

type Judged = Extract<RunEvent, { type: 'attempt_judged' }>['data'];

/** Writes what the gates, and a verifier where there is one, made of an attempt. */
export async function publishJudgement(
  judged: Judged,
  dir: string,
  { state, files }: { readonly state: RunState; readonly files: Files },
): Promise<void> {
  await files.write(`${dir}/verdicts.json`, renderJson(verdictsDocument(judged)));
  const { phase, attempt, verdicts } = judged;
  const verdict = verdicts.find(({ gate }) => gate === 'verification');
  if (verdict === undefined) return;
  const given = state.approvals.findLast(
    (each) => each.phase === phase && each.attempt <= attempt && each.result.approval_type === 'verification',
  );
  await files.write(`${dir}/verification.json`, renderJson(verificationDocument(verdict, given?.result)));
}
