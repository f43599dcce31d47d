import { expect, it } from 'vitest';
import type { Tree } from '../../ports/tree.ts';
import { guardedThroughLinks } from './linked-paths.ts';
import { matcherOf } from './protected-paths.ts';

function linked(links: Readonly<Record<string, string>>): Tree {
  return {
    id: '',
    files: [],
    problems: [],
    links: Object.keys(links).map((path) => ({ path })),
    target: async (path) => links[path],
    read: async () => undefined,
  };
}

async function guarded(links: Readonly<Record<string, string>>, ...paths: string[]): Promise<string[]> {
  const isGuarded = matcherOf(['helix.yaml', 'config', 'config/escalation.yaml', 'approvals', 'approvals/**']);
  return paths.filter(await guardedThroughLinks(linked(links), { isGuarded, root: '/home/ada/shop' }));
}

it('what a link at a protected place leads to is protected', async () => {
  expect(await guarded({ 'helix.yaml': 'docs/helix.yaml' }, 'docs/helix.yaml', 'docs/other.yaml')).toEqual([
    'docs/helix.yaml',
  ]);
  expect(await guarded({ 'approvals/adr': '../rules/adr/' }, 'rules/adr/CLAUDE.md', 'rules/adr', 'rules/x')).toEqual([
    'rules/adr/CLAUDE.md',
    'rules/adr',
  ]);
  expect(await guarded({ 'helix.yaml': '/home/ada/shop/etc/h.yaml' }, 'etc/h.yaml')).toEqual(['etc/h.yaml']);
});

it('of a folder that is a link only what is protected in it is', async () => {
  const paths = ['docs/settings/escalation.yaml', 'docs/settings/readme.md', 'config/other.yaml'];
  expect(await guarded({ config: 'docs/settings' }, ...paths)).toEqual(['docs/settings/escalation.yaml']);
});

it('links that lead to links are followed, whichever part of the way they are', async () => {
  const links = { 'helix.yaml': 'a/b/h.yaml', a: 'real', 'real/b': 'deep/c', unrelated: 'src' };
  expect(await guarded(links, 'real/deep/c/h.yaml', 'src/x.ts')).toEqual(['real/deep/c/h.yaml']);
});

it('links in a circle, to nothing and to the top end somewhere', async () => {
  const circle = { 'helix.yaml': 'a/x', a: 'b', b: 'a', 'approvals/top': '..', 'approvals/gone': 'nowhere' };
  expect(await guarded(circle, 'b/x', 'src/x.ts', 'approvals/nowhere')).toEqual(['b/x', 'approvals/nowhere']);
});

it('without links nothing more is protected', async () => {
  expect(await guarded({}, 'helix.yaml', 'docs/helix.yaml')).toEqual(['helix.yaml']);
});
