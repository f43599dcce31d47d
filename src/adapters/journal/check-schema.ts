import type { DatabaseSync } from 'node:sqlite';
import { HelixError } from '../../domain/helix-error.ts';

/**
 * Throws HelixError `journal` for a database with anything in it but the tables and indexes of `schema`: a view, a trigger
 * or an expression in their place would be computed whenever it is read.
 */
export function checkSchema(db: DatabaseSync, { schema, path }: { schema: string; path: string }): void {
  const known = new Set(schema.split(';').map(plain));
  const rows = db.prepare('SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL').all();
  const foreign = rows.find(({ sql }) => !known.has(plain(String(sql))));
  if (foreign === undefined) return;
  db.close();
  throw new HelixError('journal', `${path} has a ${foreign.type} ${foreign.name} that HELIX did not make`, {
    hint: 'Somebody else wrote it. Move it away: HELIX then begins a new journal.',
  });
}

function plain(sql: string): string {
  return sql.replaceAll(/\s+/g, ' ').replace('IF NOT EXISTS ', '').trim();
}
