import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** By its flags Node also reads modules without running them, and says nothing of its own on stderr. */
const FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

/** The argv of a program that is part of HELIX and runs in a process of its own. */
export function ownProgram(name: 'syntax'): readonly string[] {
  const file = fileURLToPath(import.meta.url);
  const program = new URL(`./${name}-program${extname(file)}`, import.meta.url);
  return [process.execPath, ...FLAGS, fileURLToPath(program)];
}
