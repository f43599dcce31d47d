import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, scratch } from '../../../test/scratch.ts';
import { openProject } from '../disk/project-directory.ts';
import { locateCommand } from './find-agent-program.ts';

/** A project below a repository's top, with programs in both and one outside. */
function places() {
  const root = put(scratch(), {
    ...{ 'repo/.git/HEAD': '', 'repo/tools/claude': '', 'repo/claude.js': '' },
    ...{ 'repo/project/agent.js': '', 'repo/project/acp/index.js': '', 'claude.js': '' },
  });
  symlinkSync(join(root, 'repo/claude.js'), join(root, 'leads-in.js'));
  symlinkSync(join(root, 'claude.js'), join(root, 'repo/leads-out.js'));
  mkdirSync(join(root, 'empty'));
  return { root, world: { project: openProject(join(root, 'repo/project')) } };
}

describe('the command of an agent', () => {
  it.each([
    ['/bin/sh', '<root>/repo/tools/claude'],
    ['/usr/bin/env', '<root>/repo/tools/claude'],
    ['env', 'X=<root>/repo/tools/claude'],
    ['/bin/sh', 'agent.js'],
    ['/bin/sh', './agent.js'],
    ['/bin/sh', '../claude.js'],
    ['/bin/sh', 'tools/claude'],
    ['/bin/sh', './acp'],
    ['/bin/sh', '<root>/leads-in.js'],
    ['/bin/sh', '<root>/repo/leads-out.js'],
    ['/bin/sh', '-r', 'x', '--import=./agent.js'],
    ['/bin/sh', '--import=file://<root>/repo/claude.js'],
    ['../tools/claude'],
  ])('is refused where any of it lies in the repository: %s %s %s', async (...command) => {
    const { root, world } = places();
    const argv = command.map((part) => part.replace('<root>', root));
    await expect(locateCommand(argv, world, '')).rejects.toThrow('lies inside the repository');
  });

  it.each([
    ['<root>/claude.js'],
    ['/bin/sh', 'acp', '--stdio', '-', '.'],
    ['/bin/sh', '<root>/empty', 'x'.repeat(5000)],
    ['/bin/sh', 'no/such/file', '-c', 'model_providers.x={base_url="https://example.org/v1"}'],
  ])('is taken as it is where none does: %s %s %s', async (...command) => {
    const { root, world } = places();
    const argv = command.map((part) => part.replace('<root>', root));
    expect(await locateCommand(argv, world, '')).toEqual(argv);
  });

  it('is started where it was looked for, also if it is named from the project', async () => {
    const { root, world } = places();
    expect(await locateCommand(['../../claude.js'], world, '')).toEqual([join(root, 'claude.js')]);
  });
});
