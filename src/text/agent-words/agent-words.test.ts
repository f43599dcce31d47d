import { describe, expect, it } from 'vitest';
import { acpWords } from './acp-words.ts';
import { claudeWords } from './claude-words.ts';
import { codexWords } from './codex-words.ts';

describe('what an agent does is told with what it looks for', () => {
  const used = (name: string, input: object) =>
    claudeWords({ type: 'assistant', message: { content: [{ type: 'tool_use', name, input }] } });

  it.each([
    ['Grep', { pattern: 'TODO', path: 'src', glob: '*.ts' }, '→ Grep "TODO" in src *.ts'],
    ['Grep', { pattern: 'TODO' }, '→ Grep "TODO"'],
    ['Glob', { pattern: '**/*.md', path: 'docs' }, '→ Glob "**/*.md" in docs'],
    ['WebSearch', { query: 'csv umlauts' }, '→ WebSearch "csv umlauts"'],
    ['Bash', { command: 'npm test', description: 'Runs the tests' }, '→ Bash npm test'],
    ['Read', { file_path: 'src/a.ts' }, '→ Read src/a.ts'],
    ['Task', { description: 'Look around', prompt: 'long' }, '→ Task Look around'],
    ['TodoWrite', { todos: [] }, '→ TodoWrite'],
  ])('claude %s %j', (name, input, words) => {
    expect(used(name, input)).toBe(words);
  });

  it.each([
    [{ type: 'command_execution', command: `/bin/bash -lc 'npm test -- "a"'` }, '→ shell npm test -- "a"'],
    [{ type: 'command_execution', command: `bash -lc "npm test"` }, '→ shell npm test'],
    [{ type: 'command_execution', command: `sh -c 'echo '\\''x'\\'''` }, `→ shell echo 'x'`],
    [{ type: 'mcp_tool_call', server: 'docs', tool: 'find', arguments: { query: 'csv' } }, '→ docs find "csv"'],
  ])('codex %j', (item, words) => {
    expect(codexWords({ type: 'item.started', item })).toBe(words);
  });

  it('codex tells what it searched the web for', () => {
    const item = { type: 'web_search', query: 'csv umlauts' };
    expect(codexWords({ type: 'item.completed', item })).toBe('→ web search "csv umlauts"');
  });

  it.each([
    [{ title: 'Search', rawInput: { pattern: 'TODO', path: 'src' } }, '→ Search "TODO" in src'],
    [{ title: 'grep "TODO" in src', rawInput: { pattern: 'TODO', path: 'src' } }, '→ grep "TODO" in src'],
    [{ title: 'Run', rawInput: { command: ['npm', 'test'] } }, '→ Run npm test'],
    [{ title: 'Read', locations: [{ path: 'src/a.ts', line: 3 }] }, '→ Read src/a.ts'],
    [{ title: 'Think' }, '→ Think'],
  ])('acp %j', (update, words) => {
    const params = { update: { sessionUpdate: 'tool_call', ...update } };
    expect(acpWords({ method: 'session/update', params })).toBe(words);
  });
});
