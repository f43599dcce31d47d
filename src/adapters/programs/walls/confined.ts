import { resolve } from 'node:path';
import type { ProcessSpec } from '../../../ports/processes.ts';
import { closedWalls } from './closed-walls.ts';
import { findBubblewrap } from './find-bubblewrap.ts';
import { inFront, withLayers } from './layers.ts';
import { openWalls } from './open-walls.ts';
import { requireProgram } from './program-file.ts';

type Inside = Required<Pick<ProcessSpec, 'argv' | 'cwd' | 'env' | 'confine'>>;

/**
 * The argv that runs a program, whose file was found, behind its walls. Throws what the system says of a file that cannot
 * be started: behind walls it would only be seen as an exit code.
 */
export async function confined({ argv, cwd, env, confine }: Inside): Promise<[string, ...string[]]> {
  const [name = '', ...args] = argv;
  const { layers = [] } = confine;
  const file = resolve(cwd, name);
  requireProgram(inFront(file, layers));
  const bubblewrap = await findBubblewrap();
  if (bubblewrap === undefined) throw new Error('bubblewrap, which builds the walls of the sandbox, has gone');
  const walls = confine.kind === 'closed' ? closedWalls(confine, { argv: [file, ...args], env }) : openWalls(confine);
  const walled = [bubblewrap, ...walls, '--chdir', cwd, '--', file, ...args] as const;
  return layers.length === 0 ? [...walled] : withLayers([...walled], layers);
}
