// `npm start`: shows `helix do` with a scripted agent in a small repository of its own, ends with the evidence, and says what to try next.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const example = join(root, 'examples/do');
const home = mkdtempSync(join(tmpdir(), 'helix-start-'));
const shop = join(home, 'shop');
// What the example is trusted with is nothing to remember.
const env = { ...process.env, XDG_STATE_HOME: join(home, 'state'), XDG_CACHE_HOME: join(home, 'cache') };

function call(program, args, more = {}) {
  const { status, error } = spawnSync(program, args, { cwd: shop, env, stdio: 'inherit', ...more });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function show(shown, args) {
  console.error(`\n$ helix ${shown}`);
  call(join(root, 'bin/helix'), args);
}

cpSync(join(example, 'repository'), shop, { recursive: true });
const me = ['-c', 'user.name=you', '-c', 'user.email=you@example.org', '-c', 'commit.gpgSign=false'];
for (const args of [
  ['init', '-q', '-b', 'main'],
  ['add', '--all'],
  [...me, 'commit', '-q', '-m', 'start'],
]) {
  call('git', args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
const task = 'the CSV export loses umlauts; add a test for it';
const how = ['--agent', 'scripted', '--script', join(example, 'scripted.yaml'), '--trust'];
show(`do "${task}" --agent scripted`, ['do', task, ...how]);
show('evidence', ['evidence']);
console.log(`
That was simulated, in ${shop}. Try next:
  cd ${shop} && git log --oneline --all         the branch it made
  bin/helix do "…"                    the same with Claude Code, in a repository of yours
  bin/helix run examples/hello        a plan of three phases, simulated
  bin/helix --help                    every command`);
