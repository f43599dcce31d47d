import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import * as library from '../src/index.ts';
import { scratch } from './scratch.ts';

const PAGE = readFileSync(new URL('../docs/library.md', import.meta.url), 'utf8');

it('the snippets of docs/library.md run, in their order', async () => {
  const snippets = [...PAGE.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
  expect(snippets.length).toBeGreaterThan(5);
  const program = snippets.join('\n').replace(/^import \{([^}]*)\} from 'helix-run';$/m, 'const {$1} = library;');
  const dir = scratch({
    'README.md': '# Mine\n\nIt keeps the orders of the shop.\n',
    'helix.yaml': 'agents: { default: { driver: scripted } }\nallow_simulated: true\n',
    'config/escalation.yaml': 'escalation: { levels: { stufe_1: { max_attempts: 0 } } }\n',
    'phases.yaml':
      'project: { name: mine, description: A trial }\nworkspace: phase-dirs\nphases:\n  - { id: a, type: development, quality_gate: { type: files_exist, files: [output/y.md], max_retries: 1 } }\n',
    'scripted.yaml': 'phases: { a: [{ writes: { output/x.md: made } }, { writes: { output/y.md: made } }] }\n',
  });
  const told: string[] = [];
  vi.stubEnv('XDG_STATE_HOME', scratch());
  onTestFinished(() => void vi.unstubAllEnvs());
  const Async = (async () => undefined).constructor as new (
    ...words: string[]
  ) => (...given: unknown[]) => Promise<void>;
  await new Async('library', 'dir', 'told', 'z', stripTypeScriptTypes(program))(library, dir, told, z);
  expect(told).toEqual(expect.arrayContaining(['run_started', 'human_asked', 'not_found', '1']));
  expect(told.join('\n')).toMatch(/^\d{8}-[0-9a-f]{8} passed$/m);
  expect(told.join('\n')).toMatch(/^docs approved, kept in \.helix\/approvals\/[0-9a-f]{16}$/m);
});

it('every name of the library is on the page', () => {
  for (const name of Object.keys(library)) expect(PAGE).toContain(name);
});
