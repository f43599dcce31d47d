import type { Finding } from '../../domain/finding.ts';
import { inQuotes } from '../../domain/in-quotes.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import type { GateAnswer, GateContext } from '../../gates/gate/gate-context.ts';
import { oneLine } from '../../text/sanitise.ts';

const SHOWN = 5;

/** A judged tree as the run's branch would have it. */
export type AsPublished = {
  /** The files that stay off the branch. */
  readonly kept: readonly string[];
  /** The context with which a gate sees that tree and runs its command in a copy of it. */
  readonly context: (whole: GateContext) => Promise<GateContext>;
};

type Ask = (context: GateContext) => Promise<GateAnswer>;

/**
 * What a gate's command says of what would be published. Only where that does not pass it is run on the whole tree: what passes
 * there alone passes by files that nobody gets.
 */
export async function askPublished(
  gate: Gate,
  whole: GateContext,
  { published, ask }: { readonly published: AsPublished; readonly ask: Ask },
): Promise<GateAnswer> {
  const answer = await ask(await published.context(whole));
  if (answer.kind === 'interrupted' ? answer.failure !== 'setup' : answer.outcome === 'pass') return answer;
  const onAll = await ask(whole);
  if (onAll.kind === 'interrupted' || onAll.outcome !== 'pass') return onAll;
  const isTests = gate.type === 'tests_pass';
  const told = onlyWhole(published.kept, { answer, severity: isTests ? 'error' : 'warning' });
  return { ...onAll, outcome: isTests ? 'reject' : 'pass', findings: [told, ...onAll.findings] };
}

function onlyWhole(
  kept: readonly string[],
  { answer, severity }: { readonly answer: GateAnswer; readonly severity: Finding['severity'] },
): Finding {
  const names = kept.slice(0, SHOWN).map((path) => inQuotes(oneLine(path, 100)));
  const more = kept.length > SHOWN ? ` and ${kept.length - SHOWN} more` : '';
  const said =
    answer.kind === 'interrupted' ? answer.message : answer.findings.find((each) => each.severity === 'error')?.message;
  return {
    severity,
    check: 'kept-off',
    message: `the command passes only with files that stay off the run's branch (${names.join(', ')}${more}); without them, as the branch would be: ${oneLine(said ?? 'it does not pass', 600)}`,
    hint: 'What is published has to work without them: put what the code needs into a file that is published, or let the plan say otherwise what stays off (workspace.keep_out; an empty list keeps nothing off).',
  };
}
