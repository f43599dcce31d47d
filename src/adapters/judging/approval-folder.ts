import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalFolder } from '../../ports/judging-world.ts';
import { writeAtomic } from '../disk/atomic-file.ts';
import { ensureDirectory } from '../disk/ensure-directory.ts';
import { SealedFiles } from './kept-seal.ts';

/** Where approvals outside of any run lie in a project. */
export const KEPT = '.helix/approvals';

/** The files of one approval in its project; a folder that HELIX makes there is none of the user's to commit. */
export function approvalFolder(project: string, id: string): ApprovalFolder {
  const own = join(project, '.helix');
  const isNew = !existsSync(own);
  ensureDirectory(own);
  ensureDirectory(join(project, KEPT));
  if (isNew) writeAtomic(join(own, '.gitignore'), '*\n');
  const path = `${KEPT}/${id}`;
  return { path, files: new SealedFiles(join(project, path)) };
}
