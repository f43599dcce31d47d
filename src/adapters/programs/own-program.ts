import { join } from 'node:path';
import { CODE, CODE_EXTENSION } from '../disk/installation.ts';

/** By its flags Node also reads modules without running them, and says nothing of its own on stderr. */
const FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

/** The argv of a program that is part of HELIX and runs in a process of its own. */
export function ownProgram(name: 'syntax'): readonly string[] {
  return [process.execPath, ...FLAGS, join(CODE, 'adapters', 'programs', `${name}-program${CODE_EXTENSION}`)];
}
