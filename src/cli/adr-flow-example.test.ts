import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { RunDocument } from '../domain/documents/documents.ts';
import { ApprovalResult } from '../domain/judge/approval.ts';
import { makePlace } from './helix.fixture.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/adr-flow', import.meta.url));
const FILES = ['phases.yaml', 'helix.yaml', 'scripted.yaml', 'README.md', 'docs'];
const DIR = 'examples/adr-flow';

function placeWithExample() {
  const place = makePlace();
  for (const file of FILES) cpSync(join(EXAMPLE, file), join(place.dir, DIR, file), { recursive: true });
  const shown = [...place.read(`${DIR}/README.md`).matchAll(/^ {4}helix ([^#\n]+)/gm)].map(([, line = '']) =>
    line.trim().split(' '),
  );
  return { place, shown };
}

test('the example adr-flow sends back the ADR that lost the plan, then builds, and every judge is asked', async () => {
  const { place, shown } = placeWithExample();
  expect(await place.helix(['plan', DIR])).toMatchObject({ code: 0, err: '' });
  const [run = [], ...others] = shown;
  const { code, err } = await place.helix(run);
  expect(code, err).toBe(0);
  const rejected = err.split('\n').filter((line) => /: (?:reject|revise): /.test(line));
  expect(rejected.join('\n')).toMatch(
    /^01-adr +adr_complete: reject: change_scope=major needs a migration plan.*\n03-build +verification: revise: A link whose day has passed/,
  );
  expect(rejected).toHaveLength(2);
  expect(err.match(/approval (\w+) asked/g)).toEqual(
    ['adr', 'adr', 'verification', 'verification', 'code'].map((type) => `approval ${type} asked`),
  );
  for (const command of others) expect(await place.helix(command)).toMatchObject({ code: 0 });
  const status = RunDocument.parse(JSON.parse((await place.helix(['status', '-C', DIR, '--json'])).out));
  expect({ status: status.status, simulated: status.simulated }).toEqual({ status: 'passed', simulated: true });
  expect(status.phases.map(({ id, attempts }) => [id, attempts])).toEqual([
    ['01-adr', 2],
    ['02-adr-approval', 1],
    ['03-build', 2],
    ['04-code-approval', 1],
  ]);
  const result = ApprovalResult.parse(
    JSON.parse(place.read(`${DIR}/phases/02-adr-approval/output/approval-result.json`)),
  );
  expect(result).toMatchObject({ approval_type: 'adr', result: 'approved', agent_context: { simulated: true } });
});

test('its first ADR fails layers 2 and 3, the second one none', async () => {
  const { place } = placeWithExample();
  const logs = async (...args: string[]) => (await place.helix(['status', '-C', DIR, ...args])).out;
  expect((await place.helix(['run', DIR])).code).toBe(0);
  const { run } = JSON.parse(await logs('--json'));
  const verdicts = (attempt: number) =>
    place.read(`${DIR}/.helix/runs/${run}/phases/01-adr/logs/attempt-${attempt}/verdicts.json`);
  for (const word of ['major-needs-migration', 'concept-lost', 'Migration in two weeks']) {
    expect(verdicts(1)).toContain(word);
    expect(verdicts(2)).not.toContain(word);
  }
});
