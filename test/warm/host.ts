// Serves call after call of the command line in one process: it has loaded HELIX once, while a process of its own loads it for
// every call. What a call is given (arguments, directory, environment) is all it has of its own.
import { Readable } from 'node:stream';
import { HELIX, type HelixEnd } from '../helix-process.ts';
import type { WarmCall } from './pool.ts';

// What was built is smaller, too: this process starts many others, and each costs as much as it has memory.
const built = new URL('../../dist/cli/dispatch.js', import.meta.url).href;
const { dispatch } = (await import(built)) as typeof import('../../src/cli/dispatch.ts');

process.argv[1] = HELIX;
const real = process.env;
const said = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const) {
  process[name].setMaxListeners(0);
  process[name].write = (piece: string | Uint8Array) => {
    said[name] += typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8');
    return true;
  };
}

process.on('message', async ({ args, cwd, env, input }: WarmCall) => {
  enter(cwd, env);
  Object.defineProperty(process, 'stdin', {
    configurable: true,
    value: Readable.from(input === '' ? [] : [Buffer.from(input)]),
  });
  const code = await dispatch(args);
  process.send?.({ code, signal: null, ...said } satisfies HelixEnd);
});
process.on('disconnect', () => process.exit());

/** Makes a call's directory and environment those of this process, for programs it starts and for the system's own calls, too. */
function enter(cwd: string, env: Readonly<Record<string, string>>): void {
  Object.assign(said, { stdout: '', stderr: '' });
  process.chdir(cwd);
  for (const name of Object.keys(real)) if (env[name] === undefined) delete real[name];
  Object.assign(real, env);
  // Another object: what HELIX remembers of an environment, it remembers of that one.
  process.env = { ...env };
}
