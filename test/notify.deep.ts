import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { directory, Receiver } from './notify.fixture.ts';
import { RobustProject } from './robust-project.ts';

const QUESTIONS = 5;
const DOWN_MS = 60_000;

/** A project whose phases all ask at once, and tell a webhook. */
function asking(webhook: string): RobustProject {
  const ids = Array.from({ length: QUESTIONS }, (_, index) => `phase-${index}`);
  const settings = { agents: { default: { driver: 'scripted' } }, allow_simulated: true, notify: [{ webhook }] };
  return new RobustProject({
    dir: directory(),
    phases: ids.map((id) => ({ id, type: 'development', requires_approval: true, depends_on: [] })),
    files: { 'helix.yaml': JSON.stringify(settings) },
  });
}

it(`a receiver that is down for ${DOWN_MS / 1000} s is told of every question as soon as it can be`, async () => {
  const receiver = await new Receiver().up();
  await receiver.down();
  const project = asking(receiver.url);
  const run = project.start(['run', '--trust', '--wait']);
  await run.says('could not be told');
  await pause(DOWN_MS);
  expect((await project.journaled()).facts.filter((fact) => fact.startsWith('notification_sent'))).toEqual([]);
  await receiver.up();
  while ((await project.journaled()).facts.filter((fact) => fact.startsWith('notification_sent')).length < QUESTIONS) {
    await pause(500);
  }
  const asked = [...(await project.journaled()).state.requests.keys()];
  expect(receiver.requests.toSorted()).toEqual(asked.toSorted());
  run.kill('SIGTERM');
  await run.end;
});

it('a receiver that takes a message and never answers is left after ten seconds and told again', async () => {
  const receiver = await new Receiver((response, n) => (n > 1 ? response.end() : undefined)).up();
  const project = asking(receiver.url);
  const run = project.start(['run', '--trust', '--wait']);
  await run.says('did not answer within 10 s');
  while ((await project.journaled()).facts.filter((fact) => fact.startsWith('notification_sent')).length < QUESTIONS) {
    await pause(500);
  }
  expect(new Set(receiver.requests).size).toBe(QUESTIONS);
  expect(receiver.received).toHaveLength(QUESTIONS + 1);
  run.kill('SIGTERM');
  await run.end;
});
