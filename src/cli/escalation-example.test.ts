import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { InboxDocument, SummaryDocument } from '../domain/documents/documents.ts';
import { makePlace } from './helix.fixture.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/escalation', import.meta.url));
const FILES = ['phases.yaml', 'helix.yaml', 'scripted.yaml', 'README.md', 'config'];
const DIR = 'examples/escalation';

test('the example escalation waits after six attempts, and the commands its README shows take it to its end', async () => {
  const place = makePlace();
  for (const file of FILES) cpSync(join(EXAMPLE, file), join(place.dir, DIR, file), { recursive: true });
  const readme = place.read(`${DIR}/README.md`);
  const shown = [...readme.matchAll(/^ {4}helix ([^#\n]+)/gm)].map(([, line = '']) => line.trim());
  const [run = '', inbox = '', decide = ''] = shown;
  expect(shown).toEqual([`run ${DIR} --trust`, `inbox -C ${DIR}`, `decide -C ${DIR} <request> A`]);

  expect(await place.helix(run.split(' '))).toMatchObject({ code: 3 });
  const { requests } = InboxDocument.parse(JSON.parse((await place.helix([...inbox.split(' '), '--json'])).out));
  const [{ id, run: runId } = { id: '', run: '' }, ...others] = requests;
  expect(others).toEqual([]);
  const came = () => {
    const summary = place.read(`${DIR}/.helix/runs/${runId}/final/summary.json`);
    const { status, simulated, phases } = SummaryDocument.parse(JSON.parse(summary));
    return { status, simulated, attempts: phases.map(({ attempts }) => attempts) };
  };
  expect(came()).toEqual({ status: 'waiting', simulated: true, attempts: [2, 6] });
  expect(await place.helix(inbox.split(' '))).toMatchObject({
    code: 0,
    out: expect.stringContaining(`${id}  02-export`),
  });

  expect(await place.helix(decide.replace('<request>', id).split(' '))).toMatchObject({ code: 0 });
  expect(came()).toEqual({ status: 'passed', simulated: true, attempts: [2, 7] });
  expect(place.read(`${DIR}/phases/02-export/output/parts.json`)).toContain('"revision": "B"');
  const [folder = ''] = readme.match(/\.helix\/runs\/<run>\S*escalation\b/) ?? [];
  expect(place.read(`${DIR}/${folder.replace('<run>', runId)}/stufe-2/user-decision.json`)).toContain('"A"');
});

test('a comment on option B of it reaches the phase the run goes back to, and no other', async () => {
  const place = makePlace();
  for (const file of FILES) cpSync(join(EXAMPLE, file), join(place.dir, DIR, file), { recursive: true });
  expect(await place.helix(['run', DIR, '--trust'])).toMatchObject({ code: 3 });
  const { requests } = InboxDocument.parse(JSON.parse((await place.helix(['inbox', '-C', DIR, '--json'])).out));
  const [{ id, run } = { id: '', run: '' }] = requests;
  await place.helix(['decide', '-C', DIR, id, 'B', '--comment', 'ZEBRA-COMMENT']);
  const decided = (phase: string) => {
    const brief = place.read(`${DIR}/.helix/runs/${run}/phases/${phase}/CLAUDE.md`);
    return brief.split('\n## What a human decided\n')[1]?.split('\n## ')[0] ?? '';
  };
  for (const words of ['ZEBRA-COMMENT', 'Specify the export without the history'])
    expect(decided('01-specify')).toContain(words);
  expect(decided('02-export')).toBe('');
});
