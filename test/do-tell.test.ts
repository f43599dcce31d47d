import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { HELIX } from './helix-process.ts';
import { onTerminal } from './on-terminal.ts';
import { Repository, WAIT } from './repository.ts';
import { eventually } from './robust-project.ts';
import { put } from './scratch.ts';

/** Each attempt leaves a mark; the first one waits for `go` and changes nothing, the next one does what it was told. */
const LISTENS = `n=$(ls "$(dirname "$0")" | grep -c '^begun-' || true); touch "$(dirname "$0")/begun-$n"
if [ "$n" = 0 ]; then ${WAIT}; else grep -o 'ZEBRA-[0-9]' "$0.brief" > heard.txt; fi`;

function listening(agent = LISTENS): Repository {
  const repository = new Repository({ planless: true, agent });
  const agents = { default: { driver: 'command', command: [repository.agentPath] } };
  repository.write({ 'helix.yaml': JSON.stringify({ agents, sandbox: 'basic' }) });
  repository.commit('settings');
  return repository;
}

it('t and Enter in the live view say something to the agents, as helix tell does', async () => {
  const repository = listening();
  const place = { dir: repository.top, path: (name: string) => repository.path(name) };
  const terminal = onTerminal(place, `${HELIX} do 'Write a word' --no-judge --trust`, {
    ...repository.env(),
    NO_COLOR: '1',
  });
  await eventually(() => existsSync(repository.beside('begun-0')));
  await terminal.shows('t and Enter');
  terminal.type('t\n');
  await terminal.shows('to the agents >');
  terminal.type('write ZEBRA-4\n');
  await terminal.shows('change will be told');
  put(repository.root, { go: '' });
  const { code, shown } = await terminal.end;
  expect({ code, shown }).toMatchObject({ code: 0 });
  const { events } = await repository.journaled();
  expect(events.filter(({ type }) => type === 'guidance_given').map(({ data }) => data)).toMatchObject([
    { phases: ['change'], words: 'write ZEBRA-4' },
  ]);
  expect(repository.git('show', 'helix/write-word:heard.txt')).toBe('ZEBRA-4');
});

it('other keys say nothing, and neither do no words', async () => {
  const repository = listening();
  const place = { dir: repository.top, path: (name: string) => repository.path(name) };
  const terminal = onTerminal(place, `${HELIX} do 'Write a word' --no-judge --trust --no-wait`, {
    ...repository.env(),
    NO_COLOR: '1',
  });
  await eventually(() => existsSync(repository.beside('begun-0')));
  await terminal.shows('t and Enter');
  terminal.type('approve it\n');
  await terminal.shows('t and Enter');
  terminal.type('t\n');
  await terminal.shows('to the agents >');
  terminal.type('  \n');
  await terminal.shows('nothing was said');
  put(repository.root, { go: '' });
  await terminal.end;
  expect((await repository.journaled()).events.some(({ type }) => type === 'guidance_given')).toBe(false);
});

it('words that are half typed when the run ends are given back, and none of them reaches the shell', async () => {
  const repository = listening(`touch "$(dirname "$0")/begun-0"; ${WAIT}; echo done > heard.txt`);
  const place = { dir: repository.top, path: (name: string) => repository.path(name) };
  const next = 'stty -icanon min 0 time 1; head -c 100 | tr a-z A-Z';
  const terminal = onTerminal(place, `${HELIX} do 'Write a word' --no-judge --trust; ${next}`, {
    ...repository.env(),
    NO_COLOR: '1',
  });
  await eventually(() => existsSync(repository.beside('begun-0')));
  await terminal.shows('t and Enter');
  terminal.type('t\n');
  await terminal.shows('to the agents >');
  terminal.type('write zebra-5');
  await terminal.shows('zebra-5');
  put(repository.root, { go: '' });
  const { shown } = await terminal.end;
  expect(shown.replaceAll(/\s+/g, ' ')).toContain(
    'this came too late for the agents: write zebra-5. Say it with: helix do --again "…"',
  );
  expect(shown).not.toContain('ZEBRA-5');
  expect((await repository.journaled()).events.some(({ type }) => type === 'guidance_given')).toBe(false);
});
