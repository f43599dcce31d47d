import { closeSync, existsSync, readdirSync, readFileSync } from 'node:fs';

const DESCRIPTORS = '/proc/self/fd';
const STANDARD = 2;
const CLOSE_ON_EXEC = 0o2000000;

/**
 * Closes what the program that started this one left open: every program behind walls would inherit it, and reach by it what
 * the walls hide. What Node opens is closed when another program starts, and so is told apart.
 */
export function closeInherited(): void {
  if (!existsSync(DESCRIPTORS)) return;
  for (const descriptor of readdirSync(DESCRIPTORS).map(Number)) {
    if (descriptor > STANDARD && isInherited(descriptor)) closeSync(descriptor);
  }
}

/** The one by which they were listed is gone by now. */
function isInherited(descriptor: number): boolean {
  const info = `/proc/self/fdinfo/${descriptor}`;
  if (!existsSync(info)) return false;
  const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(info, 'utf8'))?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
}
