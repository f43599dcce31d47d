import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { RobustProject } from './robust-project.ts';
import { FAST } from './run-scenario.ts';

const projects: RobustProject[] = [];
const outside = mkdtempSync(join(FAST, 'helix-outside-'));
afterAll(() => {
  for (const project of projects) project.dispose();
  rmSync(outside, { recursive: true, force: true });
});

type Case = {
  name: string;
  /** The text of phases.yaml, or what makes something else of it. */
  plan: string | ((path: string) => void);
  says: RegExp;
};

const phase = (id: string, more = '') =>
  `workspace: phase-dirs\nphases:\n  - { id: ${id}, type: development${more} }\n`;

/** 33 levels of ten aliases each: laid out, more than there are atoms. */
const bomb = `a0: &a0 x\n${Array.from({ length: 33 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(10)}]\n`).join('')}`;

const CASES: Case[] = [
  { name: 'broken', plan: 'phases:\n  - id: [one\n', says: /phases\.yaml:\d+:\d+/ },
  { name: 'empty', plan: '', says: /phases\.yaml/ },
  { name: 'binary', plan: (path) => writeFileSync(path, Buffer.from([0, 255, 254, 1, 2])), says: /UTF-8/ },
  {
    name: 'larger than 256 KB',
    plan: `# ${'x'.repeat(300 * 1024)}\n${phase('one')}`,
    says: /phases\.yaml.*too large/s,
  },
  {
    name: 'a sparse file of 10 GB',
    plan: (path) => {
      writeFileSync(path, '');
      truncateSync(path, 10 * 1024 ** 3);
    },
    says: /phases\.yaml.*too large/s,
  },
  { name: 'deep in brackets', plan: `phases: ${'['.repeat(100_000)}`, says: /phases\.yaml:1:\d+.*nested deeper/s },
  {
    name: 'deep by indentation',
    plan: Array.from({ length: 700 }, (_, n) => `${' '.repeat(n)}k:\n`)
      .join('')
      .slice(0, 250_000),
    says: /phases\.yaml:\d+:\d+.*nested deeper/s,
  },
  { name: 'an alias bomb', plan: bomb, says: /phases\.yaml:1:5.*anchors and aliases/s },
  {
    name: 'a quadratic map of keys',
    plan: `phases:\n${Array.from({ length: 20_000 }, (_, n) => `  k${n}: 1\n`).join('')}`,
    says: /phases\.yaml:\d+:\d+.*keys in one map/s,
  },
  {
    name: 'quadratic flow lines',
    plan: `x: [\n${'"a",\n'.repeat(40_000)}`,
    says: /phases\.yaml:\d+:\d+/,
  },
  { name: 'quadratic quotes', plan: `x: "${'\\q'.repeat(100_000)}"`, says: /phases\.yaml:1:\d+.*escape/s },
  { name: 'an id that climbs', plan: phase('../../x'), says: /phases\.yaml:3:\d+/ },
  { name: 'an id that is ..', plan: phase('..'), says: /phases\.yaml:3:\d+/ },
  { name: 'an absolute id', plan: phase('/etc/x'), says: /phases\.yaml:3:\d+/ },
  { name: 'an id with a line feed', plan: phase('"a\\nb"'), says: /phases\.yaml:3:\d+/ },
  { name: 'an id of 300 characters', plan: phase('x'.repeat(300)), says: /phases\.yaml:3:\d+/ },
  { name: 'an output that climbs', plan: phase('one', ', output: [../../x]'), says: /phases\.yaml:3:\d+.*leaves/s },
  { name: 'an absolute output', plan: phase('one', ', output: [/etc/x]'), says: /phases\.yaml:3:\d+.*absolute/s },
  {
    name: 'a pattern of a million alternatives',
    plan: phase('one', `, output: ["${'{a,b}'.repeat(20)}"]`),
    says: /phases\.yaml:3:\d+.*alternatives/s,
  },
  {
    name: 'a FIFO',
    plan: (path) => {
      if (spawnSync('mkfifo', [path]).status !== 0) throw new Error('these tests need mkfifo(1)');
    },
    says: /phases\.yaml.*not a regular file/s,
  },
  { name: 'a directory', plan: (path) => mkdirSync(path), says: /phases\.yaml.*not a regular file/s },
  { name: 'a device', plan: (path) => symlinkSync('/dev/zero', path), says: /phases\.yaml leads out of the project/ },
  { name: 'a link to itself', plan: (path) => symlinkSync('phases.yaml', path), says: /phases\.yaml cannot be used/ },
  {
    name: 'a link out of the project',
    plan: (path) => {
      writeFileSync(join(outside, 'plan.yaml'), phase('one'));
      symlinkSync(join(outside, 'plan.yaml'), path);
    },
    says: /phases\.yaml leads out of the project/,
  },
];

function projectWith({ plan }: Case): RobustProject {
  const project = new RobustProject({ phases: [] });
  projects.push(project);
  rmSync(project.path('phases.yaml'));
  if (typeof plan === 'string') project.write('phases.yaml', plan);
  else plan(project.path('phases.yaml'));
  return project;
}

describe.concurrent('a plan that is', () => {
  it.for(CASES)('$name is refused by plan and run, quickly, in little memory and with its place', async (each, {
    expect,
  }) => {
    const project = projectWith(each);
    const before = readdirSync(outside);
    for (const args of [['plan'], ['run', '--trust']]) {
      const { code, stdout, stderr, cpuSeconds, peakMb } = await project.helix(args);
      expect({ code, said: stdout + stderr }).toMatchObject({ code: 2, said: expect.stringMatching(each.says) });
      expect(stdout + stderr).not.toContain('inside HELIX');
      expect(stdout.length + stderr.length).toBeLessThan(20_000);
      expect(cpuSeconds).toBeLessThan(3);
      expect(peakMb).toBeLessThan(250);
    }
    expect(existsSync(project.path('.helix'))).toBe(false);
    expect(existsSync(project.path('phases'))).toBe(false);
    expect(readdirSync(outside)).toEqual(expect.arrayContaining(before));
  });
});

describe('a plan that is given', () => {
  it('as a socket is refused', async ({ expect, onTestFinished }) => {
    const project = projectWith({ name: '', plan: '', says: /x/ });
    rmSync(project.path('phases.yaml'));
    const server = createServer().listen(project.path('phases.yaml'));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await project.helix(['plan'])).toMatchObject({ code: 2, stdout: expect.stringContaining('phases.yaml') });
  });
});
