// `npm run test:agents -- --claude 2.1.400`: the tests of test/agents against another version of an agent, named by its
// program (--claude, --codex, --claude-agent-acp). Without a name: against the pinned ones.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const pinned = Object.entries(JSON.parse(readFileSync(join(root, 'test/agents/versions.json'), 'utf8')));
const { values } = parseArgs({ options: Object.fromEntries(pinned.map(([, { bin }]) => [bin, { type: 'string' }])) });

const chosen = pinned.filter(([, { bin }]) => values[bin] !== undefined);
const names = (chosen.length === 0 ? pinned : chosen).map(([name]) => name);
const env = {
  ...process.env,
  HELIX_AGENT_VERSIONS: chosen.map(([name, { bin }]) => `${name}=${values[bin]}`).join(','),
  HELIX_REQUIRE_AGENTS: names.join(','),
};

run(process.execPath, ['scripts/install-agents.mjs', ...names.flatMap((name) => ['--only', name])]);
const pinnedNode = join(root, 'node_modules/.bin/node');
run(existsSync(pinnedNode) ? pinnedNode : process.execPath, [
  'node_modules/.bin/vitest',
  ...['run', '--project', 'world', 'test/agents/'],
]);

function run(program, args) {
  const { status, error } = spawnSync(program, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
