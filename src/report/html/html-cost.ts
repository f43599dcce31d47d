import type { Spending } from '../../domain/facts/spending.ts';
import { begunOf } from '../run/attempts.ts';
import { renderSpending, sumOf } from '../words/cost.ts';
import { renderDuration } from '../words/time.ts';
import type { PhaseRow } from './html-phases.ts';
import { type Markup, markup } from './markup.ts';

/** A longer table is folded away. */
const FOLD = 25;

/** What each phase took and cost. */
export function costSection(rows: readonly PhaseRow[], total: Spending): Markup {
  const tried = rows.filter((row) => row.attempts.length > 0);
  const table = markup`<div class="scroll" role="region" tabindex="0" aria-label="Cost by phase"><table>
<caption>Cost by phase</caption>
<thead><tr><th scope="col">Phase</th><th scope="col" class="n">Starts</th><th scope="col" class="n">Agent time</th><th scope="col" class="n">Tokens</th><th scope="col" class="n">Cost</th></tr></thead>
<tbody>${tried.map(costRow)}</tbody>
<tfoot><tr><th scope="row">Whole run</th><td></td><td></td><td class="n">${total.tokens}</td><td class="n">${renderSpending(total)}</td></tr></tfoot>
</table></div>`;
  const shown =
    tried.length <= FOLD
      ? table
      : markup`<details><summary>${renderSpending(total)}, phase by phase</summary>${table}</details>`;
  return markup`<section aria-labelledby="cost"><h2 id="cost">Cost</h2>${shown}</section>`;
}

function costRow({ phase, attempts }: PhaseRow): Markup {
  const ms = attempts.reduce((total, attempt) => total + (attempt.durationMs ?? 0), 0);
  const costs = attempts.flatMap((attempt) => attempt.cost ?? []);
  const sum = sumOf(costs);
  return markup`<tr><th scope="row">${phase.id}</th><td class="n">${begunOf(attempts).length}</td><td class="n">${renderDuration(ms)}</td>
<td class="n">${sum.tokens}</td><td class="n">${costs.length === 0 ? '' : renderSpending(sum)}</td></tr>
`;
}
