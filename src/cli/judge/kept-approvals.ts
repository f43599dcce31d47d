import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ZodType } from 'zod';
import { KEPT } from '../../adapters/judging/approval-folder.ts';
import { keptSeal } from '../../adapters/judging/kept-seal.ts';
import { ApprovalInterruption } from '../../domain/documents/approval-document.ts';
import { ApprovalResult } from '../../domain/judge/approval.ts';
import { KeptMark } from '../../domain/judge/approval-mark.ts';

const LIMIT = 16 * 1024 * 1024;
const INTERRUPTION = /^interruption-\d+\.json$/;
const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/** What lies there, and what of it cannot be read. */
export type KeptApprovals = {
  readonly results: readonly ApprovalResult[];
  readonly interruptions: readonly ApprovalInterruption[];
  readonly marks: readonly KeptMark[];
  readonly unreadable: readonly { readonly name: string; readonly why: string }[];
  /** How many files were not written by this user's HELIX: whoever may commit to the project could have made them up. */
  readonly notMadeHere: number;
};

/** Reads all approvals that this user made in a project outside of any run. */
export function readKeptApprovals(project: string): KeptApprovals {
  const results: ApprovalResult[] = [];
  const interruptions: ApprovalInterruption[] = [];
  const marks: KeptMark[] = [];
  const unreadable: { name: string; why: string }[] = [];
  let notMadeHere = 0;
  const isOwn = keptSeal();
  const read = <T>(name: string, schema: ZodType<T>, into: T[]): void => {
    const path = join(project, name);
    try {
      const text = readSmall(path);
      if (text === undefined) return;
      if (isOwn(path, text, readSmall(`${path}.mac`))) into.push(schema.parse(JSON.parse(text)));
      else notMadeHere += 1;
    } catch (error) {
      unreadable.push({ name, why: whyOf(error) });
    }
  };
  for (const id of namesIn(join(project, KEPT))) {
    read(`${KEPT}/${id}/approval-result.json`, ApprovalResult, results);
    read(`${KEPT}/${id}/mark.json`, KeptMark, marks);
    for (const name of namesIn(join(project, KEPT, id)).filter((each) => INTERRUPTION.test(each))) {
      read(`${KEPT}/${id}/${name}`, ApprovalInterruption, interruptions);
    }
  }
  return { results, interruptions, marks, unreadable, notMadeHere };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (MISSING.has((error as NodeJS.ErrnoException).code)) return [];
    throw error;
  }
}

function readSmall(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isFile()) throw new Error('it is not a regular file');
  if (stat.size > LIMIT) throw new Error(`it is larger than ${LIMIT / 1024 / 1024} MB`);
  return readFileSync(path, 'utf8');
}

function whyOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'it is not JSON';
  return (error as Error).name === 'ZodError' ? 'it is not in the format of HELIX' : (error as Error).message;
}
