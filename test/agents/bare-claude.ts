import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const BASE = [
  ...['-p', '--output-format', 'stream-json', '--verbose', '--restricted', '--strict-mcp-config'],
  ...['--disable-slash-commands', '--permission-mode', 'dontAsk', '--permission-prompts', 'none'],
];

/** A creator may read and edit its directory, without a shell. */
const CREATOR_FLAGS = [
  ...['--tools', 'Read,Grep,Glob,Edit,Write'],
  ...['--allowedTools', 'Read', 'Grep', 'Glob', 'Edit(/**)'],
];

/** An event of the stream, as far as the tests look into it. */
export type ClaudeEvent = {
  readonly type: string;
  readonly subtype?: string;
  readonly is_error?: boolean;
  readonly result?: string;
  readonly structured_output?: unknown;
  readonly terminal_reason?: string;
  readonly stop_reason?: string;
  readonly api_error?: string;
  readonly api_error_status?: number | null;
  readonly attempt?: number;
  readonly error_status?: number | null;
  readonly error?: string;
  readonly total_cost_usd?: number;
};

type Call = {
  readonly program: string;
  /** Where its model is. */
  readonly url: string;
  readonly cwd: string;
  readonly home: string;
  readonly flags?: readonly string[];
  readonly prompt?: string;
};

/** Runs `claude -p` as it is, with no HELIX around it, and tells how it ended and what it said. */
export async function bareClaude({ program, url, cwd, home, flags = CREATOR_FLAGS, prompt = 'go' }: Call) {
  const child = spawn(program, [...BASE, ...flags], {
    cwd,
    env: {
      ...{ PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' },
      ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'a-dummy-key', CLAUDE_CODE_MAX_RETRIES: '2' },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_TELEMETRY: '1', DISABLE_AUTOUPDATER: '1' },
    },
  });
  child.stdin.end(prompt);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const events = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ClaudeEvent);
  return { code: code as number | null, events, stderr, result: events.find(({ type }) => type === 'result') };
}
