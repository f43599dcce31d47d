import type { ApprovalResult } from '../../domain/judge/approval.ts';

/** What was approved last, by path with its digest: only the newest approval of a file counts, and a simulated one only among its like. */
export function acceptedInputs(
  results: readonly ApprovalResult[],
  { type, simulated }: { readonly type: string; readonly simulated: boolean },
): ReadonlyMap<string, string> {
  const newestLast = results
    .filter(({ approval_type, agent_context }) => approval_type === type && (simulated || !agent_context.simulated))
    .toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
  const accepted = new Map<string, string>();
  for (const { result, inputs } of newestLast) {
    for (const { path, sha256 } of inputs) {
      if (result === 'approved') accepted.set(path, sha256);
      else accepted.delete(path);
    }
  }
  return accepted;
}
