#!/usr/bin/env node
import { readFileSync } from 'node:fs';

const [name, ...args] = process.argv.slice(2);

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(`helix: HELIX needs Node 24 or newer; this is ${process.version}\n`);
  process.exitCode = 2;
} else if (name === '--version' || name === '-v') {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  process.stdout.write(`${(JSON.parse(manifest) as { version: string }).version}\n`);
} else {
  (await import('../adapters/inherited-descriptors.ts')).closeInherited();
  await (await import('./lean-start.ts')).leanStart();
  const { dispatch } = await import('./dispatch.ts');
  process.exitCode = await dispatch(name, args);
}
