// A stand-in for `claude` that misbehaves in ways the real one cannot be made to: `stand-in-claude.ts <behaviour>` and then
// the arguments of `claude`. It says that it is one, misbehaves in the first run of a home only, and then does its work.
// With `always` before the behaviour it never does.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const [named = '', ...args] = process.argv.slice(2);
const behaviour = named.replace(/^always /, '');
const been = join(process.env.HOME ?? '.', '.stand-in-was-here');
const FLAGS = [
  '--restricted --strict-mcp-config --include-partial-messages --disable-slash-commands --no-session-persistence',
  '--permission-prompts --json-schema --max-budget-usd --settings --tools --setting-sources --append-system-prompt',
  '--model --mcp-config --add-dir --allowedTools --permission-mode --output-format --verbose',
].join(' ');

const INIT = {
  type: 'system',
  subtype: 'init',
  session_id: '00000000-0000-4000-8000-000000000000',
  tools: [],
  mcp_servers: [],
  model: 'stand-in',
  apiKeySource: 'none',
  claude_code_version: '2.1.325',
};
const RESULT = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  terminal_reason: 'completed',
  stop_reason: 'end_turn',
  result: 'said by a stand-in',
  num_turns: 1,
  total_cost_usd: 0.01,
  modelUsage: {},
};
const HALF = Buffer.from('ü').subarray(0, 1);

function write(bytes: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(bytes, (error) => (error ? reject(error) : resolve())));
}

function say(event: object): Promise<void> {
  return write(`${JSON.stringify(event)}\n`);
}

function text(words: string): object {
  return { type: 'assistant', message: { id: 'msg_1', role: 'assistant', content: [{ type: 'text', text: words }] } };
}

async function work(): Promise<void> {
  writeFileSync('out.txt', 'done\n');
  await say(INIT);
  await say(RESULT);
}

async function stay(): Promise<never> {
  while (true) await pause(1000);
}

const BEHAVIOURS: Readonly<Record<string, () => Promise<unknown>>> = {
  garbage: async () => {
    await write(Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 37) % 256)));
    await write('\n{"type": "system", "subtype": \n{}\n[]\nnull\n"result"\n');
  },
  'half a character': async () => {
    await say(INIT);
    await write(Buffer.concat([Buffer.from('{"type":"result","subtype":"success","is_error":false,"result":"'), HALF]));
  },
  'a character in two halves': async () => {
    const [head = '', tail = ''] = JSON.stringify({ ...INIT, model: 'schön' }).split('ö');
    await write(Buffer.concat([Buffer.from(head), Buffer.from('ö').subarray(0, 1)]));
    await pause(200);
    await write(Buffer.concat([Buffer.from('ö').subarray(1), Buffer.from(`${tail}\n`)]));
    writeFileSync('out.txt', 'done\n');
    await say(RESULT);
  },
  'no result': () => say(INIT),
  killed: async () => {
    await say(INIT);
    process.kill(process.pid, 'SIGKILL');
    await stay();
  },
  'no exit': async () => {
    await work();
    await stay();
  },
  'words after the result': async () => {
    await work();
    await say(text('one more thing'));
    await write('and this is no JSON\n');
  },
  silent: stay,
  deaf: async () => {
    process.on('SIGTERM', () => undefined);
    await say(INIT);
    await stay();
  },
  'a long line': async () => {
    await say(INIT);
    const piece = Buffer.alloc(1024 * 1024, 'x');
    await write('{"type":"assistant","text":"');
    for (let count = 0; count < 100; count += 1) await write(piece);
    await write('"}\n');
    await work();
  },
  'an unknown flag': async () => {
    process.stderr.write("error: unknown option '--restricted'\n");
    process.exitCode = 1;
  },
};

async function run(): Promise<void> {
  const again = existsSync(been) && !named.startsWith('always ');
  writeFileSync(been, '');
  await (again ? work() : BEHAVIOURS[behaviour]?.());
}

if (args.includes('--version')) await write('2.1.325 (a stand-in for Claude Code)\n');
else if (args.includes('--help')) await write(behaviour === 'an old program' ? '--print --tools\n' : `${FLAGS}\n`);
else await run();
