import type { Cost } from '../domain/run-event.ts';
import { renderCost } from './cost.ts';
import type { PhaseRow } from './html-phases.ts';
import { type Markup, markup } from './markup.ts';
import { renderDuration } from './time.ts';

/** A longer table is folded away. */
const FOLD = 25;

/** What each phase took and cost. */
export function costSection(rows: readonly PhaseRow[], total: Cost): Markup {
  const tried = rows.filter((row) => row.attempts.length > 0);
  const table = markup`<div class="scroll" role="region" tabindex="0" aria-label="Cost by phase"><table>
<caption>Cost by phase</caption>
<thead><tr><th scope="col">Phase</th><th scope="col" class="n">Starts</th><th scope="col" class="n">Agent time</th><th scope="col" class="n">Tokens</th><th scope="col" class="n">Cost</th></tr></thead>
<tbody>${tried.map(costRow)}</tbody>
<tfoot><tr><th scope="row">Whole run</th><td></td><td></td><td class="n">${total.tokens ?? 0}</td><td class="n">${renderCost(total)}</td></tr></tfoot>
</table></div>`;
  const shown =
    tried.length <= FOLD
      ? table
      : markup`<details><summary>${renderCost(total)}, phase by phase</summary>${table}</details>`;
  return markup`<section aria-labelledby="cost"><h2 id="cost">Cost</h2>${shown}</section>`;
}

function costRow({ phase, attempts }: PhaseRow): Markup {
  const ms = attempts.reduce((sum, attempt) => sum + (attempt.durationMs ?? 0), 0);
  const costs = attempts.flatMap((attempt) => attempt.cost ?? []);
  const tokens = costs.reduce((sum, cost) => sum + (cost.tokens ?? 0), 0);
  return markup`<tr><th scope="row">${phase.id}</th><td class="n">${attempts.length}</td><td class="n">${renderDuration(ms)}</td>
<td class="n">${tokens}</td><td class="n">${costs.length === 0 ? '' : renderCost(sum(costs))}</td></tr>
`;
}

/** The sum of several costs, as sure as the least sure of them. */
function sum(costs: readonly Cost[]): Cost {
  const known = costs.filter((cost) => cost.usd !== undefined);
  const basis = (['unknown', 'simulated', 'estimated'] as const).find((one) =>
    costs.some((cost) => cost.basis === one),
  );
  const usd = known.reduce((total, cost) => total + (cost.usd ?? 0), 0);
  return { ...(known.length > 0 && { usd }), basis: basis ?? 'reported' };
}
