import type { DatabaseSync } from 'node:sqlite';
import { TASK_SOURCE } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { RunRow } from '../../ports/journal.ts';

/** All runs, newest first, without reading their facts; of a task also its words and its branch. */
export function listedRuns(db: DatabaseSync): RunRow[] {
  const rows = db
    .prepare(
      `SELECT runs.run, project, created_at AS createdAt, status, open_requests AS openRequests,
         (SELECT at FROM events WHERE events.run = runs.run ORDER BY seq DESC LIMIT 1) AS updatedAt,
         data ->> '$.plan.phases[0].name' AS task, data ->> '$.base.branch' AS branch
       FROM runs LEFT JOIN events ON events.run = runs.run AND seq = 1
         AND CASE WHEN json_valid(data) THEN data ->> '$.source.path' = ? END
       ORDER BY created_at DESC, runs.run DESC`,
    )
    .all(TASK_SOURCE);
  return rows.map(({ task, branch, ...row }) => {
    const shown = { task: textOf(task), branch: textOf(branch)?.replace(/^refs\/heads\//, '') };
    return { ...row, ...present(shown) } as RunRow;
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
