import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
const PRODUCT = SOURCES.filter((path) => !/[.](test|contract|fixture)[.]ts$/.test(path));

type Rooms = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
const RULES: string = '../.dependency-cruiser.mjs';
const { ROOMS } = (await import(RULES)) as { readonly ROOMS: Rooms };

const text = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The files a file imports, also those it loads later. */
function mentioned(path: string, code = text(path)): Set<string> {
  const specifiers = [...code.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, specifier = '']) => specifier);
  return new Set(specifiers.map((specifier) => join(dirname(path), specifier)));
}

/** Those whose code it imports: a type alone leads nowhere. */
function imports(path: string): Set<string> {
  return mentioned(path, text(path).replaceAll(/^import type [^;]+;/gm, ''));
}

type Stop = { readonly path: string; readonly from: string | undefined };

/** The files of a walk in ARCHITECTURE.md, each with the one it is indented below. */
function stops(walk: string): Stop[] {
  const open: { readonly depth: number; readonly path: string }[] = [];
  return walk
    .split('\n')
    .filter((line) => line.trimStart().startsWith('src/'))
    .map((line) => {
      const depth = line.search(/\S/);
      const [path = ''] = line.trim().split(/\s+/);
      while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
      const from = open.at(-1)?.path;
      open.push({ depth, path });
      return { path, from };
    });
}

it('the walks in ARCHITECTURE.md lead from file to file that import each other', () => {
  const [, walk = ''] = /## A walk through the house\n([\s\S]*?)\n## /.exec(text('ARCHITECTURE.md')) ?? [];
  const all = stops(walk);
  expect(all.length).toBeGreaterThan(40);
  expect(all.filter(({ from }) => from === undefined)).toHaveLength(3);
  expect(all.filter(({ path }) => !PRODUCT.includes(path))).toEqual([]);
  expect(all.filter(({ path, from }) => from !== undefined && !imports(from).has(path))).toEqual([]);
});

it('no folder below src has more than about 20 files of its own', () => {
  const folders = Map.groupBy(PRODUCT, (path) => dirname(path));
  expect([...folders].filter(([, files]) => files.length > 21).map(([folder]) => folder)).toEqual([]);
});

it('every folder below src is a room with a rule, and the rules of no folder go round in a circle', () => {
  const known = Object.entries(ROOMS).flatMap(([folder, rooms]) =>
    Object.keys(rooms).map((room) => join('src', folder, room)),
  );
  const there = new Set(PRODUCT.map((path) => dirname(path)));
  expect([...there].filter((folder) => folder !== 'src' && !known.includes(folder))).toEqual([]);
  for (const [folder, rooms] of Object.entries(ROOMS)) {
    const left = new Map(Object.entries(rooms));
    while (left.size > 0) {
      const free = [...left].filter(([, needs]) => needs.every((need) => !left.has(need))).map(([room]) => room);
      expect(free, `${folder}: ${[...left.keys()].join(', ')} need each other`).not.toEqual([]);
      for (const room of free) left.delete(room);
    }
  }
});

it('no room may import of another one what it does not', () => {
  const unused = Object.entries(ROOMS).flatMap(([folder, rooms]) =>
    Object.entries(rooms).flatMap(([room, allowed]) => {
      const files = PRODUCT.filter((path) => dirname(path) === join('src', folder, room));
      const used = new Set(files.flatMap((path) => [...mentioned(path)].map((file) => dirname(file))));
      return allowed
        .filter((each) => !used.has(join('src', folder, each)))
        .map((each) => `${folder}: ${room}, ${each}`);
    }),
  );
  expect(unused).toEqual([]);
});

it('no file below src has more than 400 lines', () => {
  expect(SOURCES.filter((path) => !path.endsWith('.test.ts') && text(path).split('\n').length > 401)).toEqual([]);
});

it('ARCHITECTURE.md draws every folder, and in each folder the rooms that are there', () => {
  const [, tree = ''] = /\n {4}src\/\n([\s\S]*?)\n {4}approvals\//.exec(text('ARCHITECTURE.md')) ?? [];
  const parts = tree.split(/\n(?= {6}[a-z])/).map((part) => /^ {6}([a-z-]+)\/([\s\S]*)$/.exec(part) ?? []);
  const drawn = new Map(parts.flatMap(([, folder, about = '']) => (folder === undefined ? [] : [[folder, about]])));
  expect([...drawn.keys()].sort()).toEqual(Object.keys(ROOMS).sort());
  for (const [folder, about] of drawn) {
    const rooms = Object.keys(ROOMS[folder] ?? {}).map((room) => room.split('/')[0]);
    const named = [...about.matchAll(/(?<![\w/])([a-z-]+)\/(?![\w])/g)].map(([, name = '']) => name);
    const undrawn = rooms.filter((room) => room !== undefined && room !== '.' && !named.includes(room));
    expect([...named.filter((name) => !rooms.includes(name)), ...undrawn], folder).toEqual([]);
  }
});
