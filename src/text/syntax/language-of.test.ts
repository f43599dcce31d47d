import { expect, it } from 'vitest';
import { languageOfPath, languageOfShebang } from './language-of.ts';

it.each([
  ['a.py', 'python'],
  ['src/A.TS', 'typescript'],
  ['a.d.mts', 'typescript'],
  ['x/b.tsx', 'tsx'],
  ['b.jsx', 'javascript'],
  ['a.h', 'cpp'],
  ['a.c', 'c'],
  ['Gemfile', 'ruby'],
  ['a.json', 'json'],
  ['package.json', 'json'],
  ['tsconfig.json', 'jsonc'],
  ['packages/a/tsconfig.build.json', 'jsonc'],
  ['.vscode/settings.json', 'jsonc'],
  ['my-tsconfig.json', 'json'],
  ['.github/workflows/ci.yml', 'yaml'],
  ['README.md', undefined],
  ['Makefile', undefined],
  ['py', undefined],
  ['constructor', undefined],
  ['a.constructor', undefined],
])('%s is %s', (path, language) => {
  expect(languageOfPath(path)).toBe(language);
});

it.each([
  ['bin/x', '#!/bin/bash\n', 'bash'],
  ['x', '#!/usr/bin/env python3.12\r\n', 'python'],
  ['x', '#!/usr/bin/env -S FOO=1 node --flag\n', 'javascript'],
  ['x', '#! /bin/sh', 'bash'],
  ['x', '#!/usr/bin/zsh\n', undefined],
  ['x', '#!/usr/bin/env\n', undefined],
  ['x', 'import os\n', undefined],
  ['x.txt', '#!/bin/sh\n', undefined],
])('%s that starts with %j is %s', (path, text, language) => {
  expect(languageOfShebang(path, text)).toBe(language);
});
