import { expect, it } from 'vitest';
import type { GcDocument } from '../../domain/documents/documents.ts';
import { renderBytes, renderGc } from './gc-text.ts';

const plain = (_style: string, text: string) => text;

function document(more: Partial<GcDocument>): GcDocument {
  return { schema: 'helix.gc/1', dryRun: false, freedBytes: 0, removed: [], kept: [], ...more };
}

it('what was removed is told by kind, with its size, and what was kept by reason', () => {
  const run = (name: string, bytes: number) => ({ kind: 'run', name, bytes }) as const;
  const text = renderGc(
    document({
      freedBytes: 5_012_000,
      removed: [
        { kind: 'process', name: '4711', bytes: 0 },
        ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => run(name, 2000)),
        { kind: 'object', name: '12 objects', bytes: 5_000_000 },
      ],
      kept: [
        { kind: 'run', name: 'x', why: 'ended lately' },
        { kind: 'run', name: 'y', why: 'ended lately' },
        { kind: 'branch', name: 'helix/y', why: 'not merged yet' },
        { kind: 'object', name: 'objects', why: 'a run is being worked on' },
        { kind: 'files', name: '/p/.helix/aside', why: 'yours\u001b[2J' },
      ],
    }),
    plain,
  );
  expect(text).toBe(`ended 1 process nobody waits for: 4711
removed 6 old runs: a, b, c, d, e, … (12.0 kB)
removed 12 objects (5.0 MB)
freed 5.0 MB
kept 2 runs x, y: ended lately
kept 1 branch helix/y: not merged yet
kept objects: a run is being worked on
kept /p/.helix/aside: yours
`);
});

it('a dry run says what would happen, and nothing is said to be freed where nothing is', () => {
  const removed = [{ kind: 'branch', name: 'helix/x', bytes: 0 } as const];
  expect(renderGc(document({ dryRun: true, removed }), plain)).toBe('would remove 1 branch: helix/x\n');
  expect(renderGc(document({}), plain)).toBe('nothing to clear up\n');
});

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [1_234_567, '1.2 MB'],
  [5e15, '5000.0 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(renderBytes(bytes)).toBe(text);
});
