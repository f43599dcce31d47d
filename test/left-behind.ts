import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Every mount of every process that has a directory's path in it. */
export function mountsBelow(dir: string): string[] {
  return processes().flatMap((pid) =>
    textOf(`/proc/${pid}/mountinfo`)
      .split('\n')
      .filter((line) => line.includes(`${dir}/`)),
  );
}

/** The command lines of processes that were started for a directory: it is in their arguments, their environment, or where they work. */
export function processesFor(dir: string): string[] {
  return processes().flatMap((pid) => {
    const argv = textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
    // The process that serves calls of tests keeps nothing of them.
    if (argv.includes('/warm/') || Number(pid) === process.pid) return [];
    const about = `${argv} ${textOf(`/proc/${pid}/environ`)} ${linkOf(`/proc/${pid}/cwd`)}`;
    return about.includes(dir) && argv !== '' ? [argv] : [];
  });
}

function processes(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
