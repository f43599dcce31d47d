import { createHmac } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openProject } from '../src/adapters/disk/project-directory.ts';
import { openWorld } from '../src/adapters/world.ts';
import type { NoticeDocument } from '../src/domain/ladder/notice.ts';
import type { NotifySettings } from '../src/domain/plan/notify-settings.ts';
import { Simulation } from '../src/domain/run/simulation.fixture.ts';
import type { World } from '../src/ports/world.ts';
import { FAST } from './run-scenario.ts';
import { samplePhase, samplePlan } from './sample-start.ts';
import { put } from './scratch.ts';

const endings: (() => unknown)[] = [];
// Tests run at the same time, so that nothing belongs to one of them.
afterAll(async () => {
  for (const end of endings) await end();
});

/** A directory with these files, there until all tests of the file have ended. */
export function directory(files: Readonly<Record<string, string>> = {}): string {
  const dir = mkdtempSync(join(FAST, 'helix-notify-'));
  endings.push(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  return put(dir, files);
}

/** A message that arrived. */
export type Received = {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

/** Answers a message; `n` counts them from 1. */
type Answer = (response: ServerResponse, n: number) => void;

/** A real receiver of webhooks on this machine. */
export class Receiver {
  readonly received: Received[] = [];
  readonly #server;
  #port = 0;

  constructor(answer: Answer = (response) => response.end('ok')) {
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => (body += String(piece)));
      request.on('end', () => {
        this.received.push({ path: request.url ?? '', headers: request.headers, body });
        answer(response, this.received.length);
      });
    });
  }

  /** Comes up at the address it had before, or at a free one. */
  async up(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    endings.push(() => this.down());
    return this;
  }

  async down(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<unknown>((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`;
  }

  /** The questions it was told of, in the order of their arrival. */
  get requests(): string[] {
    return this.received.map(({ body }) => (JSON.parse(body) as NoticeDocument).request);
  }
}

/** Tells whether a message was signed with the key, as its receiver would find out. */
export function isSigned({ headers, body }: Received, key: string): boolean {
  const digest = createHmac('sha256', key).update(`${headers['x-helix-timestamp']}.${body}`).digest('hex');
  return headers['x-helix-signature'] === `sha256=${digest}`;
}

/** Keeps comments in a file, adds them and lists them as `gh` does. */
const GH = `#!/usr/bin/env node
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const store = __dirname + '/comments.json';
const comments = existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')) : [];
const args = process.argv.slice(2);
appendFileSync(__dirname + '/calls.log', JSON.stringify({ args, cwd: process.cwd(), token: process.env.GH_TOKEN }) + '\\n');
if (args[0] === 'issue' && args[1] === 'comment') {
  const body = readFileSync(0, 'utf8');
  const at = new Date().toISOString().replace(/\\.\\d+/, '');
  comments.push({ id: comments.length + 1, body, created_at: at, updated_at: at, user: { login: 'me' } });
  const [login, reply] = JSON.parse(readFileSync(__dirname + '/reply.json', 'utf8'));
  if (login) comments.push({ id: comments.length + 1, body: reply, created_at: at, updated_at: at, user: { login } });
  writeFileSync(store, JSON.stringify(comments));
  console.log('https://github.com/acme/shop/issues/7#issuecomment-' + comments.length);
} else if (args[0] === 'api' && args.includes('--jq')) {
  for (const comment of comments) console.log(JSON.stringify(comment));
} else {
  console.error('unknown command');
  process.exit(1);
}
`;

/** A stand-in for `gh` in a directory for PATH. */
export class StandInGh {
  readonly dir: string;

  /** With a reply somebody answers at once. */
  constructor({ reply = [] }: { reply?: [login: string, body: string] | [] } = {}) {
    this.dir = directory({ gh: GH, 'reply.json': JSON.stringify(reply) });
    chmodSync(join(this.dir, 'gh'), 0o755);
  }

  /** An environment in which it is found. */
  get env(): { PATH: string } {
    return { PATH: `${this.dir}:${process.env.PATH}` };
  }

  get comments(): { id: number; body: string; created_at: string; updated_at: string; user: { login: string } }[] {
    return JSON.parse(readFileSync(join(this.dir, 'comments.json'), 'utf8'));
  }

  get calls(): { args: string[]; cwd: string; token?: string }[] {
    return readFileSync(join(this.dir, 'calls.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  /** Somebody comments. */
  says(login: string, body: string, more: { edited?: boolean } = {}): void {
    const { comments } = this;
    const at = new Date().toISOString().replace(/\.\d+/, '');
    const updated = more.edited === true ? new Date(Date.now() + 5000).toISOString() : at;
    const comment = { id: comments.length + 1, body, created_at: at, updated_at: updated, user: { login } };
    put(this.dir, { 'comments.json': JSON.stringify([...comments, comment]) });
  }
}

/** A run in memory that asks before each of its phases. */
export function askingRun(notify: readonly NotifySettings[], phases: readonly string[] = ['one']): Simulation {
  const run = new Simulation(samplePlan(phases.map((id) => samplePhase(id))), { notify: [...notify] });
  for (const phase of phases) ask(run, phase);
  return run;
}

/** The run asks about a phase; the id of the question. */
export function ask(run: Simulation, phase: string, question = `May ${phase} start?`): string {
  const request = `sim-q${run.state.requests.size + 1}`;
  const options = [
    { id: 'A', description: 'Start', effort: 'none', recommended: true, decision: { action: 'proceed' as const } },
    { id: 'B', description: 'Stop', effort: 'none', recommended: false, decision: { action: 'abort' as const } },
  ];
  run.add({ type: 'human_asked', data: { request, phase, level: 'start', reason: 'start', question, options } });
  return request;
}

/** The world of an empty project of the running test. */
export function emptyWorld(files: Readonly<Record<string, string>> = {}): World {
  const world = openWorld(openProject(directory(files)));
  endings.push(() => world.close());
  return world;
}
