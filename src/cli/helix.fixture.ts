import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { helix } from '../../test/helix-process.ts';

/** How a call of `helix` ended. */
type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

/** A directory, a home and a state directory of their own in which the real command is called. */
export type Place = {
  readonly dir: string;
  helix(args: readonly string[], more?: { stdin?: string; env?: Record<string, string> }): Promise<Ended>;
  read(path: string): string;
  write(path: string, text: string): void;
};

/** Makes such a place and removes it when the test is over. */
export function makePlace(): Place {
  const root = mkdtempSync(join(tmpdir(), 'helix-cli-'));
  const [dir, home, state] = ['work', 'home', 'state'].map((name) => mkdtempSync(join(root, `${name}-`)));
  if (dir === undefined || home === undefined || state === undefined) throw new Error('no temporary directory');
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return {
    dir,
    helix: async (args, { stdin: input = '', env = {} } = {}) => {
      const given = { HOME: home, XDG_STATE_HOME: state, ...env };
      const { code, stdout, stderr } = await helix(args, { cwd: dir, env: given, input });
      return { code, out: stdout, err: stderr };
    },
    read: (path) => readFileSync(join(dir, path), 'utf8'),
    write: (path, text) => writeFileSync(join(dir, path), text),
  };
}
