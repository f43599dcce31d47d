import { expect, it } from 'vitest';
import { EVENT_VERSION, type Upcasters, upcast } from './upcast.ts';

const DATA = { actor: 'me' };

it('an event of this version comes back as it is', () => {
  expect(upcast({ type: 'cancel_requested', v: EVENT_VERSION, data: DATA })).toEqual({
    type: 'cancel_requested',
    data: DATA,
  });
});

it('an older event is lifted version by version, and only its own type', () => {
  const upcasters: Upcasters = {
    cancel_requested: {
      1: (data) => ({ ...(data as object), second: true }),
      2: (data) => ({ ...(data as object), third: 'second' in (data as object) }),
    },
    run_interrupted: { 1: () => ({ signal: 'wrong' }) },
  };
  const lift = (v: number) => upcast({ type: 'cancel_requested', v, data: DATA }, upcasters, 3).data;
  expect(lift(1)).toEqual({ ...DATA, second: true, third: true });
  expect(lift(2)).toEqual({ ...DATA, third: false });
  expect(lift(3)).toEqual(DATA);
});

it('a version that changed nothing for a type needs no upcaster', () => {
  const upcasters: Upcasters = { cancel_requested: { 2: (data) => ({ ...(data as object), third: true }) } };
  expect(upcast({ type: 'cancel_requested', v: 1, data: DATA }, upcasters, 4).data).toEqual({ ...DATA, third: true });
  expect(upcast({ type: 'run_interrupted', v: 1, data: { signal: 'x' } }, upcasters, 4).data).toEqual({ signal: 'x' });
});

it.each([
  ['a newer version', 'cancel_requested', EVENT_VERSION + 1],
  ['an unknown type', 'phase_celebrated', 1],
  ['a type every object has', 'toString', 1],
  ['no type', '', 1],
])('%s is refused with a way out', (_what, type, v) => {
  expect(() => upcast({ type, v, data: {} })).toThrow(
    expect.objectContaining({
      code: 'journal',
      message: `the journal holds an event this HELIX does not know: ${type} v${v}`,
      hint: expect.stringContaining('newer HELIX'),
    }),
  );
});

it('an attempt of the first HELIX names its inputs by sha256', () => {
  const from = { tree: 't', path: 'a' };
  const data = { phase: 'p', inputs: [{ path: 'input/a', sha256: 'abc', from }] };
  expect(upcast({ type: 'attempt_started', v: 1, data }).data).toEqual({
    phase: 'p',
    inputs: [{ path: 'input/a', digest: 'abc', from }],
  });
});
