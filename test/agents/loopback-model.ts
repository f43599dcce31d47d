import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Message, Sequence } from './loopback/answer.ts';
import type { Asked, Dialect } from './loopback/dialect.ts';
import { messages } from './loopback/messages.ts';
import { responses } from './loopback/responses.ts';

const DIALECTS: readonly Dialect[] = [messages, responses];

/** What the model was asked, and with what of a login; the secret itself is not kept. */
export type ModelRequest = Asked & {
  readonly path: string;
  readonly bytes: number;
  readonly headers: readonly string[];
  readonly login: 'x-api-key' | 'authorization' | undefined;
};

/** The answers by turn, the last one again and again; or what answers each request. */
export type Scenario = readonly [Answer | Sequence, ...(Answer | Sequence)[]] | ((request: ModelRequest) => Answer);

/** A model of scripted words on loopback. */
export type LoopbackModel = {
  /** The base URL under which one scenario is played. */
  url(scenario: string): string;
  /** What was asked under it so far. */
  requests(scenario: string): readonly ModelRequest[];
  /** Requests that are no part of any dialect, as `METHOD path`. */
  strays(): readonly string[];
  close(): Promise<void>;
};

/** Starts a model that plays each scenario under a path of its own; conversations do not see one another. */
export async function startLoopbackModel(scenarios: Readonly<Record<string, Scenario>>): Promise<LoopbackModel> {
  const asked = new Map<string, ModelRequest[]>();
  const strays: string[] = [];
  const given = new Map<string, number>();

  const server = createServer(async (request, response) => {
    const [, name = '', path = ''] = /^\/s\/([^/]+)([^?]*)/.exec(request.url ?? '') ?? [];
    const scenario = scenarios[name];
    if (path.endsWith('/count_tokens')) return json(response, 200, { input_tokens: 1000 });
    const dialect = DIALECTS.find((each) => path.endsWith(each.path));
    if (scenario === undefined || dialect === undefined || request.method !== 'POST') {
      strays.push(`${request.method} ${request.url}`);
      return json(response, 404, { type: 'error', error: { type: 'not_found_error', message: 'no such scenario' } });
    }
    const seen = await read(request, dialect, path);
    asked.set(name, [...(asked.get(name) ?? []), seen]);
    await give(response, { dialect, seen, answer: choose(scenario, seen, `${name} ${seen.session} ${seen.turn}`) });
  });

  /** The only memory: how often a session has been here, for answers that come once. */
  function choose(scenario: Scenario, seen: ModelRequest, place: string): Answer {
    if (typeof scenario === 'function') return scenario(seen);
    const answer = scenario[seen.turn] ?? scenario.at(-1) ?? scenario[0];
    if (answer.kind !== 'sequence') return answer;
    const times = given.get(place) ?? 0;
    given.set(place, times + 1);
    return answer.answers[times] ?? answer.answers.at(-1) ?? answer.answers[0];
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (scenario) => `http://127.0.0.1:${port}/s/${scenario}`,
    requests: (scenario) => asked.get(scenario) ?? [],
    strays: () => strays,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(request: IncomingMessage, dialect: Dialect, path: string): Promise<ModelRequest> {
  const body = await text(request);
  const login = (['x-api-key', 'authorization'] as const).find((name) => request.headers[name] !== undefined);
  return {
    ...dialect.read(JSON.parse(body), request.headers),
    ...{ path, login, bytes: Buffer.byteLength(body), headers: Object.keys(request.headers) },
  };
}

type Given = { readonly dialect: Dialect; readonly seen: ModelRequest; readonly answer: Answer };

async function give(response: ServerResponse, { dialect, seen, answer }: Given): Promise<void> {
  if (answer.kind === 'hang') return;
  if (answer.kind === 'reset') return void response.socket?.resetAndDestroy();
  if (answer.kind === 'failure') return json(response, answer.status, dialect.error(answer), answer.headers);
  if (answer.afterMs !== undefined) await pause(answer.afterMs);
  if (!seen.stream) return json(response, 200, dialect.whole(answer, seen));
  await stream(response, dialect.frames(answer, seen), answer);
}

async function stream(
  response: ServerResponse,
  frames: ReturnType<Dialect['frames']>,
  { pieceMs, cutAfter = Number.POSITIVE_INFINITY }: Message,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_loopback' });
  for (const { text, whole } of frames) {
    if (whole > cutAfter) return void response.socket?.destroy();
    if (!response.write(text)) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    if (pieceMs !== undefined) await pause(pieceMs);
    if (response.destroyed) return;
  }
  response.end();
}

function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
