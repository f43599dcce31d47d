import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { makePlace, type Place } from '../src/cli/helix.fixture.ts';
import type { InboxDocument, PlanDocument } from '../src/domain/documents/documents.ts';

const EXAMPLE = fileURLToPath(new URL('../examples/from-one-sentence', import.meta.url));
const REQUEST = readFileSync(join(EXAMPLE, 'request.md'), 'utf8').trim();
const SCRIPT = readFileSync(join(EXAMPLE, 'scripted.yaml'), 'utf8');

/** Answers what a project asks with the first option, one question after the other; gives the questions and how the last call ended. */
async function answered(place: Place, dir: string) {
  const asked: string[] = [];
  for (let end: Awaited<ReturnType<Place['helix']>> | undefined; ; ) {
    const inbox = JSON.parse((await place.helix(['inbox', '-C', dir, '--json'])).out) as InboxDocument;
    const [open] = inbox.requests;
    if (open === undefined || asked.length > 9) return { asked, end };
    asked.push(open.question);
    end = await place.helix(['decide', open.id, 'A', '-C', dir]);
  }
}

async function planOf(place: Place, dir: string): Promise<PlanDocument> {
  const status = JSON.parse((await place.helix(['status', '-C', dir, '--json'])).out) as { run: string };
  return JSON.parse((await place.helix(['plan', dir, '--run', status.run, '--json'])).out) as PlanDocument;
}

const QUESTIONS = ['Does 7 become a number or a text?', 'What becomes of an empty cell?'];
const PHASES = ['01-consultant', '02-developer', '03-reviewer', '04-documentation', '05-approval'];

it('the example goes from its sentence to approved work by a plan that nobody wrote by hand', async () => {
  const place = makePlace();
  cpSync(EXAMPLE, join(place.dir, 'example'), { recursive: true });
  const { code, out } = await place.helix(['run', 'example', '--no-wait']);
  expect({ code, out }).toEqual({ code: 3, out: expect.stringMatching(/helix decide \S+ A/) });
  const { asked, end } = await answered(place, 'example');
  expect(asked).toEqual(QUESTIONS);
  expect(end).toMatchObject({ code: 0, out: expect.stringContaining('1 phase added, 1 phase changed') });
  const { phases, growths } = await planOf(place, 'example');
  expect(phases.map(({ id }) => id)).toEqual(PHASES);
  expect(growths).toMatchObject([{ phase: '01-consultant', added: ['05-approval'], changed: ['02-developer'] }]);
  const spec = parse(place.read('example/phases/01-consultant/output/spec.yaml')) as Record<string, unknown>;
  expect(JSON.stringify(spec.acceptance_criteria)).toContain('"C2"');
  const status = await place.helix(['status', '-C', 'example', '--json']);
  expect(JSON.parse(status.out)).toMatchObject({ status: 'passed' });
  const tests = join(place.dir, 'example/phases/02-developer/src/csv2json.test.mjs');
  expect(execFileSync('node', ['--test', tests], { encoding: 'utf8' })).toContain('pass 1');
});

it('helix new and helix run do the same, with nothing but the sentence', async () => {
  const place = makePlace();
  expect((await place.helix(['new', 'x', '--request', REQUEST])).code).toBe(0);
  place.write('x/scripted.yaml', SCRIPT);
  expect((await place.helix(['run', 'x', '--agent', 'scripted', '--no-wait'])).code).toBe(3);
  const { asked, end } = await answered(place, 'x');
  expect({ asked, code: end?.code }).toEqual({ asked: QUESTIONS, code: 0 });
  expect((await planOf(place, 'x')).phases.map(({ id }) => id)).toEqual(PHASES);
});

it('in a repository they end with a branch', async () => {
  const place = makePlace();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: place.dir, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  expect((await place.helix(['new', 'x', '--request', REQUEST])).code).toBe(0);
  const { roles } = parse(SCRIPT) as { roles: unknown };
  const agree = { writes: { 'helix/spec.yaml': 'goal: a converter\nacceptance_criteria: []\n' } };
  const phases = {
    '01-consultant': [agree],
    '02-developer': [{ writes: { 'csv2json.mjs': 'process.stdin.pipe(process.stdout);\n' } }],
  };
  place.write('x/scripted.yaml', JSON.stringify({ roles, phases }));
  git('add', '.');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-qm', 'a sentence');
  expect((await place.helix(['run', 'x', '--agent', 'scripted', '--no-wait'])).code).toBe(3);
  const { asked, end } = await answered(place, 'x');
  expect({ asked, code: end?.code }).toEqual({ asked: QUESTIONS, code: 0 });
  git('merge', '-q', /^Take it with: git merge (\S+)$/m.exec(end?.out ?? '')?.[1] ?? 'no branch');
  expect(place.read('csv2json.mjs')).toContain('stdin');
});
