// A stand-in for `claude`, which says that it is one: it prints a gigabyte of events, of all kinds and of none, and is done.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';

const GIGABYTE = 1e9;
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

/** One line of each kind: words, a tool's answer, a kind nobody knows, and no JSON at all. */
const LINES = [
  JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text: 'words '.repeat(2000) }] } }),
  JSON.stringify({ type: 'user', message: { content: [{ type: 'tool_result', content: 'line\n'.repeat(20_000) }] } }),
  JSON.stringify({ type: 'novelty', about: { nothing: 'x'.repeat(5000) } }),
  `garbage ${'x'.repeat(3000)}`,
];

if (process.argv.includes('--version')) process.stdout.write('2.1.325 (a stand-in for Claude Code)\n');
else if (process.argv.includes('--help')) process.stdout.write(`${FLAGS}\n`);
else {
  const block = Buffer.from(`${LINES.join('\n')}\n`);
  process.stdout.write(`${JSON.stringify(INIT)}\n`);
  for (let bytes = 0; bytes < GIGABYTE; bytes += block.length) {
    if (!process.stdout.write(block)) await once(process.stdout, 'drain');
  }
  writeFileSync('out.txt', 'done\n');
  process.stdout.write(`${JSON.stringify(RESULT)}\n`);
}
