import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from '../../../test/scratch.ts';
import { judgingPlace, nearestProject } from './nearest-project.ts';

it('a project is found from every folder of it, also past one that has only settings', () => {
  const dir = scratch({ 'phases.yaml': '', 'pkg/helix.yaml': '', 'pkg/deep/file': '' });
  expect(nearestProject(join(dir, 'pkg/deep'))).toBe(dir);
  expect(nearestProject(join(dir, 'pkg'))).toBe(dir);
});

it('files are judged in the nearest place with files of HELIX, but never outside of their repository', () => {
  const dir = scratch({ 'phases.yaml': '', 'repo/src/file': '', 'repo/pkg/helix.yaml': '', 'repo/pkg/deep/file': '' });
  expect(judgingPlace(join(dir, 'repo/src'))).toBe(dir);
  mkdirSync(join(dir, 'repo/.git'));
  expect(judgingPlace(join(dir, 'repo/src'))).toBe(join(dir, 'repo'));
  expect(judgingPlace(join(dir, 'repo/pkg/deep'))).toBe(join(dir, 'repo/pkg'));
  expect(judgingPlace(join(dir, 'repo'))).toBe(join(dir, 'repo'));
});
