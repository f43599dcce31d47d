import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { samplePhase } from '../../../test/sample-run.ts';
import { NO_MODELS, UNCONFINED } from '../../../test/sample-start.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { systemClock } from '../clock.ts';
import { openProject } from '../disk/project-directory.ts';
import { createProcesses } from '../programs/processes.ts';
import { openScripted } from './open-scripted.ts';

let dir: string;

beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'helix-script-'));
  dir = join(root, 'project');
  mkdirSync(dir);
  return () => rmSync(root, { recursive: true, force: true });
});

function write(path: string, says: string): void {
  writeFileSync(join(dir, path), `phases:\n  a:\n    - prints: ${says}\n`);
}

function open(options: { settings?: string; named?: string } = {}) {
  const world = { project: openProject(dir), processes: createProcesses(), clock: systemClock, models: NO_MODELS };
  const settings = { driver: 'scripted' as const, ...(options.settings !== undefined && { script: options.settings }) };
  return openScripted(settings, { ...world, ...(options.named !== undefined && { script: options.named }) });
}

/** What the opened agent says when it is its turn. */
async function said(options: { settings?: string; named?: string } = {}): Promise<string> {
  const texts: string[] = [];
  const work = mkdtempSync(join(tmpdir(), 'helix-work-'));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
  const agent = await open(options);
  expect(agent.simulated).toBe(true);
  await agent.perform({
    ...{
      role: 'creator',
      ...UNCONFINED,
      phase: samplePhase('a'),
      attempt: 1,
      turn: 0,
      brief: '',
      dir: work,
      marker: 'm',
      wallMs: 1000,
    },
    signal: new AbortController().signal,
    onLine: (_raw, text) => texts.push(text ?? ''),
  });
  return texts.join('\n');
}

async function refused(text: string): Promise<HelixError> {
  writeFileSync(join(dir, 'scripted.yaml'), text);
  const error = await open().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HelixError);
  return error as HelixError;
}

test('the script named on the command line comes before that of the settings, and both before scripted.yaml', async () => {
  write('scripted.yaml', 'beside the plan');
  expect(await said()).toBe('beside the plan');
  write('own.yaml', 'of the settings');
  expect(await said({ settings: 'own.yaml' })).toBe('of the settings');
  write('named.yaml', 'named');
  expect(await said({ settings: 'own.yaml', named: 'named.yaml' })).toBe('named');
});

test('a script named on the command line may lie outside the project', async () => {
  write('../outside.yaml', 'from outside');
  expect(await said({ named: '../outside.yaml' })).toBe('from outside');
  expect(await said({ named: join(dir, '..', 'outside.yaml') })).toBe('from outside');
});

test('a script of the settings may not leave the project', async () => {
  write('../outside.yaml', 'from outside');
  await expect(open({ settings: '../outside.yaml' })).rejects.toThrow('leads out of the project');
});

test('without a script the built-in one is played', async () => {
  expect(await said()).toContain('simulated: a writes');
});

test.each([
  { settings: 'gone.yaml' },
  { named: 'gone.yaml' },
  { named: '/no/such/gone.yaml' },
])('a named script that is not there is an error: %j', async (options) => {
  await expect(open(options)).rejects.toThrow(/there is no script .*gone[.]yaml/);
});

test('a wrong script is refused with file, line, column and a guess', async () => {
  const error = await refused('phases:\n  a:\n    - writs: { x: y }\n      sleep: long\n');
  expect(error.code).toBe('config');
  expect(error.message).toMatch(/^scripted[.]yaml:3:7: unknown key "writs" [(]did you mean "writes"[?][)]$/m);
  expect(error.message).toMatch(/^scripted[.]yaml:4:14: "sleep" must be a number/m);
  expect(error.hint).toContain('helix schema scripted');
});

test('broken YAML is refused where it breaks', async () => {
  expect((await refused('phases:\n  a: [\n')).message).toMatch(/^scripted[.]yaml:\d+:\d+: /);
});

test('of many errors the first are shown and the others counted', async () => {
  const error = await refused(`phases:\n  a:\n${'    - nonsense: 1\n'.repeat(9)}`);
  expect(error.message).toContain('and 6 more');
});

test("keys that start with x- are the user's own, but a phase may be called that", async () => {
  const text = 'x-note: 1\nphases:\n  x-ray: [{ prints: hm }]\n  a:\n    - { x-why: because, prints: fine }\n';
  writeFileSync(join(dir, 'scripted.yaml'), text);
  expect(await said()).toBe('fine');
});
