import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, scratch } from '../../../../test/scratch.ts';
import { answerPermission } from './acp-permission.ts';

const ALL = ['allow_always', 'allow_once', 'reject_once'];

function ask(toolCall: object | undefined, { dir = '/no/work', kinds = ALL } = {}) {
  const options = kinds.map((kind) => ({ optionId: `the ${kind}`, kind }));
  const { answer, denied } = answerPermission({ toolCall, options }, dir);
  return { ...(answer as { outcome: object }).outcome, denied };
}

const ONCE = { outcome: 'selected', optionId: 'the allow_once', denied: undefined };
const NO = { outcome: 'selected', optionId: 'the reject_once', denied: 'It' };
const located = (kind: string, ...paths: unknown[]) => ({ kind, locations: paths.map((path) => ({ path })) });

describe('a permission', () => {
  it.each([
    located('edit', '/no/work/a', 'b/c'),
    located('read', 'file:///no/work/a%20b'),
    located('edit', '/no/work'),
    { kind: 'edit', rawInput: { file_path: 'a', old_string: '// x', new_string: '/etc/x', content: '~/x' } },
    { kind: 'edit', content: [{ type: 'diff', path: 'a', oldText: '/etc/x', newText: '' }] },
    { kind: 'execute', rawInput: { command: ['/bin/sh', '-c', 'ls'], description: '/bin/ls' } },
    { kind: 'execute', content: [{ type: 'content', content: { type: 'text', text: 'ls' } }], locations: null },
    { kind: 'search', rawInput: { pattern: 'x' } },
    { kind: 'fetch', rawInput: { url: 'https://example.org/a/../b' } },
    { kind: 'other', rawInput: { ticket: 7, note: 'a/b', list: [null, true] } },
  ])('is given once for what stays in the directory: %j', (call) => {
    expect(ask({ title: 'It', ...call })).toEqual(ONCE);
  });

  it.each([
    located('edit', '/no/work/../etc/passwd'),
    located('edit', '/no/work2/a'),
    located('edit', 'a', '/etc/x'),
    located('delete', '../x'),
    located('delete', 'file:///etc/x'),
    located('read', '/root/.ssh/id_rsa'),
    located('read', '~/.ssh/id_rsa'),
    located('search', '/etc'),
    { kind: 'edit', rawInput: { file_path: '/etc/passwd' } },
    { kind: 'other', rawInput: { deep: [{ where: '/etc/passwd' }] } },
    { kind: 'edit', rawInput: { changes: { '/etc/passwd': { add: 'x' } } } },
    { kind: 'other', rawInput: { where: 'a/../../x' } },
    { kind: 'search', rawInput: { pattern: '/etc/*' } },
    { kind: 'execute', rawInput: { command: 'ls', cwd: '/etc' } },
    { kind: 'edit', content: [{ type: 'diff', path: '/etc/hosts', oldText: '', newText: 'x' }] },
    { kind: 'switch_mode' },
  ])('is refused for what lies elsewhere: %j', (call) => {
    expect(ask({ title: 'It', ...call })).toEqual(NO);
  });

  it.each([
    {},
    { kind: 'edit' },
    { kind: 'edit', locations: [] },
    { kind: 'edit', locations: 'a' },
    { kind: 'whatever' },
    { kind: 'edit', content: [{ type: 'diff' }] },
    { kind: 'other', rawInput: JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) },
    located('edit', 7),
    located('edit', ''),
    located('edit', 'a\0b'),
    located('edit', 'file://elsewhere/no/work/a'),
    located('edit', 'vscode-remote://host/no/work/a'),
  ])('is refused for what cannot be understood: %#', (call) => {
    expect(ask({ title: 'It', ...call })).toEqual(NO);
  });

  it('is refused for what a link leads out of the directory to', () => {
    const root = put(scratch(), { 'work/a': '', 'elsewhere/a': '' });
    const dir = join(root, 'work');
    symlinkSync('../elsewhere', join(dir, 'out'));
    symlinkSync('../nothing', join(dir, 'dangling'));
    for (const path of ['out/a', 'out/new/b', 'dangling', 'dangling/a', 'out/../a']) {
      expect(ask({ title: 'It', ...located('edit', path) }, { dir })).toEqual(NO);
    }
    symlinkSync('work', join(root, 'same'));
    for (const path of ['a', 'new/b', join(root, 'same/a')]) {
      expect(ask({ title: 'It', ...located('edit', path) }, { dir })).toEqual(ONCE);
    }
  });

  it('is never given for good, and told as refused where it can neither be given nor refused', () => {
    const call = { title: 'It', kind: 'execute' };
    expect(ask(call, { kinds: ['allow_always', 'reject_once'] })).toEqual(NO);
    expect(ask(call, { kinds: ['allow_always', 'reject_always'] })).toMatchObject({ optionId: 'the reject_always' });
    expect(ask(call, { kinds: ['allow_always'] })).toEqual({ outcome: 'cancelled', denied: 'It' });
    expect(ask(undefined, { kinds: [] })).toEqual({ outcome: 'cancelled', denied: 'a tool' });
  });
});
