import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { HelixEnd } from '../helix-process.ts';

/** A call of the command line, with everything a process would be started with. */
export type WarmCall = {
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  input: string;
};

const HOST = fileURLToPath(new URL('host.ts', import.meta.url));
const SETUP = fileURLToPath(new URL('../../scripts/setup.mjs', import.meta.url));
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/helix', import.meta.url));

/** A process serves so many calls; then a new one does, so that nothing piles up. */
const CALLS = 100;

/**
 * Vitest's global set-up: warm processes for all test files, behind a socket that tests find by HELIX_WARM; where that is
 * `none`, every call has a process of its own.
 */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env.HELIX_WARM === 'none') return async () => undefined;
  execFileSync(process.execPath, [SETUP], { stdio: 'inherit' });
  const dir = mkdtempSync(join(tmpdir(), 'helix-warm-'));
  const hosts = new Set<ChildProcess>();
  const idle: { host: ChildProcess; left: number }[] = [];

  const start = () => {
    const host = fork(HOST, [], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: ['--max-semi-space-size=16', '--disable-warning=ExperimentalWarning'],
      env: { ...process.env, NODE_COMPILE_CACHE: CACHE },
    });
    hosts.add(host);
    host.on('exit', () => hosts.delete(host));
    return { host, left: CALLS };
  };
  const serve = async (socket: Socket) => {
    const call = JSON.parse(await text(socket)) as WarmCall;
    let free = idle.pop();
    while (free !== undefined && !hosts.has(free.host)) free = idle.pop();
    const { host, left } = free ?? start();
    const end = await ask(host, call);
    socket.end(JSON.stringify(end));
    if (left > 1) idle.push({ host, left: left - 1 });
    else host.disconnect();
  };

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    serve(socket).catch((error: unknown) => socket.destroy(error as Error));
  });
  process.env.HELIX_WARM = join(dir, 'socket');
  server.listen(process.env.HELIX_WARM);
  await once(server, 'listening');
  return async () => {
    server.close();
    const ends = [...hosts].map((host) => once(host, 'exit'));
    for (const host of hosts) host.disconnect();
    await Promise.all(ends);
    rmSync(dir, { recursive: true, force: true });
  };
}

/** What came of a call; the end of the process that served it is the end a process of its own would have had. */
function ask(host: ChildProcess, call: WarmCall): Promise<HelixEnd> {
  return new Promise((resolve) => {
    const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
      resolve({ code, signal, stdout: '', stderr: '' });
    host.once('exit', onExit);
    host.once('message', (end: HelixEnd) => {
      host.off('exit', onExit);
      resolve(end);
    });
    host.send(call);
  });
}
