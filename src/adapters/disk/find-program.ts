import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';

/** The absolute path of a program. Relative entries of PATH are left out: what lies in the current directory is not a tool. */
export async function findProgram(program: string, searchPath: string | undefined): Promise<string | undefined> {
  if (program.includes('/')) return path.isAbsolute(program) && (await isExecutable(program)) ? program : undefined;
  if (program === '') return undefined;
  for (const dir of (searchPath ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(dir)) continue;
    const candidate = path.join(dir, program);
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
