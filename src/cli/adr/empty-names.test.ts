import { expect, it } from 'vitest';
import { helix } from '../../../test/helix-process.ts';
import { scratch } from '../../../test/scratch.ts';

const ADR = '# 1. A\n\n## Status\n\nAccepted\n\n## Context\n\nText.\n\n## Decision\n\nText.\n';

it.each([
  ['a path of check', ['adr', 'check', '']],
  ['a folder of index', ['adr', 'index', '']],
  ['--dir of list', ['adr', 'list', '--dir', '']],
  ['--dir of new', ['adr', 'new', 'B', '--dir', '']],
])('an empty name does not mean the current folder: %s', async (_, args) => {
  const { code, stdout, stderr } = await helix(args, { cwd: scratch({ '0001-a.md': ADR }) });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('is empty');
});

it('empty rules check nothing, and say what to do', async () => {
  const cwd = scratch({ '0001-a.md': ADR, 'rules.yaml': '' });
  const { code, stdout, stderr } = await helix(['adr', 'check', '0001-a.md', '--rules', 'rules.yaml'], { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('hint: add "contextual_rules"');
});
