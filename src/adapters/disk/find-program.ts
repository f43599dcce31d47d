import { accessSync, statSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';

/** The absolute path of a program. Relative entries of PATH are left out: what lies in the current directory is not a tool. */
export async function findProgram(program: string, searchPath: string | undefined): Promise<string | undefined> {
  if (program.includes('/')) return path.isAbsolute(program) && (await isExecutable(program)) ? program : undefined;
  if (program === '') return undefined;
  for (const dir of absoluteEntries(searchPath)) {
    const candidate = path.join(dir, program);
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

const tools = new Map<string, string>();

/** The absolute path of a tool HELIX itself calls, looked up once for each PATH; undefined where there is none. */
export function findTool(name: string, searchPath = process.env.PATH): string | undefined {
  const key = `${name}\0${searchPath}`;
  const known = tools.get(key);
  if (known !== undefined) return known;
  const found = absoluteEntries(searchPath)
    .map((dir) => path.join(dir, name))
    .find(isTool);
  if (found !== undefined) tools.set(key, found);
  return found;
}

/** The entries of a PATH that mean the same wherever a program works. */
export function absoluteEntries(searchPath: string | undefined): string[] {
  return (searchPath ?? '').split(path.delimiter).filter((dir) => path.isAbsolute(dir));
}

function isTool(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
