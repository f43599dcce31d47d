// A stand-in for `claude`, which says that it is one. It leaves processes behind that fork and have sessions of their own,
// takes a moment, writes out.txt and is done. With `hiding` before the arguments of `claude`, one of them also clears its
// environment.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const FLAGS = [
  '--restricted --strict-mcp-config --include-partial-messages --disable-slash-commands --no-session-persistence',
  '--permission-prompts --json-schema --max-budget-usd --settings --tools',
].join(' ');
const INIT = { type: 'system', subtype: 'init', tools: [], mcp_servers: [], claude_code_version: '2.1.325' };
const RESULT = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'said by a stand-in',
  total_cost_usd: 0.01,
};
const FOREVER = ['sh', '-c', 'tail -f /dev/null & tail -f /dev/null', process.cwd()];

if (process.argv.includes('--version')) process.stdout.write('2.1.325 (a stand-in for Claude Code)\n');
else if (process.argv.includes('--help')) process.stdout.write(`${FLAGS}\n`);
else {
  process.stdout.write(`${JSON.stringify(INIT)}\n`);
  const hides = process.argv[2] === 'hiding' ? ['env', '-i'] : [];
  for (const [program = '', ...args] of [[...hides, 'setsid', ...FOREVER], FOREVER]) {
    spawn(program, args, { stdio: 'ignore', detached: true }).unref();
  }
  await pause(400);
  writeFileSync('out.txt', 'done\n');
  process.stdout.write(`${JSON.stringify(RESULT)}\n`);
  process.exit(0);
}
