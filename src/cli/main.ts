#!/usr/bin/env node
import { readFileSync } from 'node:fs';

const words = process.argv.slice(2);

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    `helix: HELIX needs Node 24 or newer; this is ${process.version}. Install a newer one, and call helix with it\n`,
  );
  process.exitCode = 2;
} else if (words[0] === '--version' || words[0] === '-v') {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  process.stdout.write(`${(JSON.parse(manifest) as { version: string }).version}\n`);
} else {
  try {
    (await import('../adapters/programs/inherited-descriptors.ts')).closeInherited();
    const { dispatch } = await import('./dispatch.ts');
    process.exitCode = await dispatch(words);
  } catch (error) {
    // What failed is the machine, before there was anything that could say so better.
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!/^E[A-Z]+$/.test(code)) throw error;
    process.stderr.write(`helix: ${message}\nSee to the machine, then try again.\n`);
    process.exitCode = 5;
  }
}
