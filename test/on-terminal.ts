import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll } from 'vitest';
import type { RobustProject } from './robust-project.ts';

export const ESC = '\u001b';
export const COLOUR = new RegExp(`${ESC}\\[[0-9;]*m`, 'g');
export const CONTROL = new RegExp(`${ESC}\\[[0-9;]*[A-Za-z]`, 'g');

const started: ChildProcess[] = [];
// What a failed test leaves open hangs up, which ends what runs on it.
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

/** The environment of a terminal, whatever the tests themselves run in. */
export function terminalEnv(
  project: Pick<RobustProject, 'dir' | 'path'>,
  more: Record<string, string> = {},
): Record<string, string> {
  const { NO_COLOR, FORCE_COLOR, ...env } = process.env;
  return {
    ...(env as Record<string, string>),
    XDG_STATE_HOME: project.path('.state'),
    TERM: 'xterm-256color',
    ...more,
  };
}

/** Starts a shell command on a terminal of its own, 40 columns wide, at which one can type. */
export function onTerminal(
  project: Pick<RobustProject, 'dir' | 'path'>,
  command: string,
  env: Record<string, string> = {},
) {
  if (spawnSync('script', ['--version']).status !== 0) throw new Error('these tests need script(1) of util-linux');
  const child = spawn('script', ['-qec', `stty cols 40 rows 10; ${command}`, '/dev/null'], {
    cwd: project.dir,
    env: terminalEnv(project, env),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  started.push(child);
  let shown = '';
  let read = 0;
  let ended = false;
  child.stdin.on('error', () => undefined);
  child.stdout.on('data', (piece) => (shown += String(piece)));
  const end = once(child, 'close').then(([code]) => {
    ended = true;
    return { code: code as number, shown };
  });
  return {
    child,
    shown: () => shown,
    end,
    type: (keys: string) => void child.stdin.write(keys),
    /** Resolves once the text is shown, after what was waited for before; throws when the command ends without it. */
    shows: async (text: string): Promise<void> => {
      for (let at = -1; at < 0; at = shown.indexOf(text, read)) {
        if (ended && !shown.includes(text, read)) throw new Error(`it ended without showing ${text}:\n${shown}`);
        await pause(10);
      }
      read = shown.indexOf(text, read) + text.length;
    },
  };
}
