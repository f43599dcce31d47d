// A stand-in for an agent that speaks the Agent Client Protocol: `stand-in-acp.ts <deeds.json>`, or a behaviour that no
// real agent can be made to show: `stand-in-acp.ts behave:<name>`. It says that it is one.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Deed } from '../../../src/adapters/agents/agent.contract.ts';

type Message = {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
};

const [named = ''] = process.argv.slice(2);
const behaviour = /^behave:(.*)$/.exec(named)?.[1];
const deeds: readonly Deed[] = behaviour === undefined ? JSON.parse(readFileSync(named, 'utf8')) : [{}];
const deed = deeds[Math.min(Number(process.env.HELIX_TURN ?? 0), deeds.length - 1)] ?? {};
const USAGE = { inputTokens: 1000, outputTokens: 50 };

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function update(fields: object): void {
  send({ method: 'session/update', params: { sessionId: 'one', update: fields } });
}

let answers = 0;
function ask(toolCall: object, kinds: readonly string[]): void {
  const options = kinds.map((kind) => ({ kind, optionId: kind, name: kind }));
  send({ id: `ask-${answers}`, method: 'session/request_permission', params: { sessionId: 'one', toolCall, options } });
}

async function work(): Promise<string> {
  for (const [at, text] of (deed.says ?? []).entries()) {
    for (const piece of text === '' ? [''] : [text.slice(0, 1), text.slice(1)]) {
      update({ sessionUpdate: 'agent_message_chunk', messageId: `m${at}`, content: { type: 'text', text: piece } });
    }
  }
  for (const [path, text] of Object.entries(deed.writes ?? {})) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  for (let n = 0; n < (deed.leaves ?? 0); n += 1) spawn('sleep', ['3600'], { stdio: 'ignore', detached: true }).unref();
  await pause((deed.seconds ?? 0) * 1000);
  return 'end_turn';
}

/** What a stand-in does with the prompt when it is to misbehave. */
async function misbehave(): Promise<string> {
  if (behaviour === 'exit') process.exit(7);
  if (behaviour === 'killed') process.kill(process.pid, 'SIGKILL');
  if (behaviour === 'garbage')
    process.stdout.write('no JSON\n{"jsonrpc":"1.0"}\n[]\nnull\n{"jsonrpc":"2.0","id":99}\n');
  if (behaviour === 'giant') process.stdout.write(`${'x'.repeat(40 * 1024 * 1024)}\n`);
  if (behaviour === 'silence') await pause(60_000);
  if (behaviour === 'stays') setInterval(() => undefined, 1000);
  if (behaviour === 'dear') update({ sessionUpdate: 'usage_update', cost: { amount: 3, currency: 'USD' } });
  if (behaviour === 'dear') await pause(60_000);
  if (behaviour === 'asks') {
    ask({ kind: 'edit', title: 'Write here', locations: [{ path: `${process.cwd()}/a` }] }, [
      'allow_once',
      'reject_once',
    ]);
    ask({ kind: 'edit', title: 'Write there', locations: [{ path: '/etc/passwd' }] }, ['allow_once', 'reject_once']);
    send({ id: 'read', method: 'fs/read_text_file', params: { path: '/etc/passwd' } });
    await pause(300);
  }
  return /^stops:(.*)$/.exec(behaviour ?? '')?.[1] ?? 'end_turn';
}

const heard: unknown[] = [];

async function answer({ id, method, ...rest }: Message): Promise<void> {
  if (method === undefined) {
    answers += 1;
    heard.push({ id, ...rest });
  } else if (method === 'initialize') {
    if (behaviour === 'refuses') process.exit(1);
    const protocolVersion = behaviour === 'newer' ? 2 : 1;
    send({ id, result: { protocolVersion, agentInfo: { name: 'a stand-in', version: '1.2.3' } } });
  } else if (method === 'session/new') {
    if (behaviour === 'locked') send({ id, error: { code: -32_000, message: 'Authentication required' } });
    else send({ id, result: { sessionId: 'one', configOptions: [{ id: 'model', currentValue: 'm-1' }] } });
  } else if (method === 'session/prompt') {
    if (behaviour === 'limited') return send({ id, error: { code: -32_603, message: 'API Error: 429 limit' } });
    if (behaviour === 'unpaid') {
      return send({ id, error: { code: -32_603, message: 'No.', data: { errorKind: 'billing_error' } } });
    }
    const stopReason = await (behaviour === undefined ? work() : misbehave());
    if (behaviour === 'asks') writeFileSync('heard.json', JSON.stringify(heard));
    if (behaviour === 'reports') {
      update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0.25, currency: 'USD' } });
    }
    send({ id, ...(behaviour === 'both' && { error: null }), result: { stopReason, usage: USAGE } });
  }
}

createInterface({ input: process.stdin }).on('line', (line) => void answer(JSON.parse(line) as Message));
