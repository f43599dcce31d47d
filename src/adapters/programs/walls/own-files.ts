import { join } from 'node:path';
import { CODE, INSTALLATION } from '../../disk/installation.ts';

/** What a program of HELIX's own needs beside Node: its code, and the packages it was installed with. */
export function ownFiles([program]: readonly string[]): string[] {
  if (program !== process.execPath) return [];
  const installed = /^.*?\/node_modules(?=\/)/.exec(CODE)?.[0];
  if (installed !== undefined) return [installed];
  return [CODE, ...['node_modules', 'package.json', 'templates'].map((name) => join(INSTALLATION, name))];
}
