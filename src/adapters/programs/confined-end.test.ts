import { expect, it } from 'vitest';
import { confinedEnd } from './confined-end.ts';

const exited = (exitCode: number) => ({ ended: 'exit', exitCode, message: `exited with code ${exitCode}` }) as const;

it.each([
  ['an exit code is the program’s own', 3, ['/usr/bin/node'], '', exited(3)],
  ['a code over 128 is a signal', 137, ['/usr/bin/node'], '', { ended: 'signal', message: 'ended by SIGKILL' }],
  ['from a shell it may be about another program', 137, ['/bin/sh', '-c', 'x'], '', exited(137)],
  ['a code that is no signal stays a code', 255, ['/usr/bin/node'], '', exited(255)],
  ['a program may fail and say so', 1, ['/usr/bin/node'], 'bwrap: no\nmore', exited(1)],
] as const)('%s', (_, code, argv, tail, expected) => {
  expect(confinedEnd(exited(code), { argv, tail })).toEqual(expected);
});

it('what bubblewrap could not do is no failure of the program', () => {
  const end = confinedEnd(exited(1), { argv: ['/x'], tail: 'bwrap: execvp /x: No such file or directory\n' });
  expect(end).toEqual({
    ended: 'spawn',
    message: 'cannot start /x in the sandbox: execvp /x: No such file or directory',
  });
});

it('a program that was ended stays ended', () => {
  const ended = { ended: 'timeout_wall', message: 'not finished after 1 s' } as const;
  expect(confinedEnd(ended, { argv: ['/x'], tail: 'bwrap: x\n' })).toBe(ended);
});
