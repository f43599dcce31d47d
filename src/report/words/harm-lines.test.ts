import { expect, it } from 'vitest';
import { readableHarms } from './harm-lines.ts';

const NPM = '["npm","test"]';
const RUNS = `${NPM}, which runs "test: node --test"`;

it('a command that several phases start is shown once, with its phases and what it runs', () => {
  const lines = [
    '+ set-up command: ["npm","ci"]',
    `+ gate command of fix: ${NPM}`,
    `+ gate command of reproduce: ${NPM}`,
    `+ detected gate command of reproduce: ${RUNS}`,
    `+ detected gate command of fix: ${RUNS}`,
  ];
  expect(readableHarms(lines)).toEqual([lines[0], `+ gate command of fix and reproduce: ${RUNS}`]);
});

it('commands that are not the same, or are gone, stay apart', () => {
  const lines = [
    '+ gate command of a: ["npm","test"]',
    '+ gate command of a: ["npm","test","--x"]',
    '- gate command of b: ["npm","test"]',
    '+ gate command of c: shell: npm test',
    '+ detected gate command of d: ["pytest"], which runs "x"',
  ];
  expect(readableHarms(lines)).toEqual(lines);
});

it('what only looks like another command is not left out', () => {
  const lines = ['+ gate command of a: shell: true', '+ gate command of b: shell: true, which was long ago'];
  expect(readableHarms(lines)).toEqual(lines);
});
