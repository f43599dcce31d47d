import { DatabaseSync } from 'node:sqlite';

const BUSY = 5;

/**
 * Takes a lock for the life of this process, or returns undefined when somebody else holds it for longer than
 * `patienceMs`. It is an exclusive transaction on an empty database: the operating system frees it the moment its
 * holder dies, however it dies.
 */
export function lockRun(path: string, patienceMs: number): (() => void) | undefined {
  const db = new DatabaseSync(path, { timeout: patienceMs });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if ((error as { errcode?: number }).errcode === BUSY) return undefined;
    throw error;
  }
  return () => {
    if (db.isOpen) db.close();
  };
}
