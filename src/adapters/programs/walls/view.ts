import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isBelow } from '../../disk/is-below.ts';
import { isSystem, masked } from './system-directories.ts';

const MAX_LINKS = 40;

type Mode = 'ro' | 'rw' | 'hidden';

/** What a program behind closed walls sees beside the system, each at the path it has outside. */
export class View {
  readonly #shown = new Map<string, Mode>();
  readonly #links = new Map<string, string>();

  /** Shows a file or directory; the later word about a path counts. */
  show(path: string, mode: Mode): void {
    this.#shown.set(this.#follow(resolve(path)), mode);
  }

  /** Makes the links anew by which a path is known, without showing what it leads to. */
  name(path: string): void {
    this.#follow(resolve(path));
  }

  /** The arguments of bubblewrap that make it so: what lies inside something else comes after it. */
  walls(): string[] {
    const kept = new Map<string, Mode>();
    const depth = (path: string) => path.split('/').length;
    for (const [path, mode] of [...this.#shown].sort(([a], [b]) => depth(a) - depth(b))) {
      const around = [...kept.keys()].filter((dir) => isBelow(path, dir)).at(-1);
      const there = around === undefined ? (isSystem(path) ? 'ro' : undefined) : kept.get(around);
      if (there !== mode) kept.set(path, mode);
    }
    const links = [...this.#links].filter(([link]) => ![...kept.keys()].some((dir) => isBelow(link, dir)));
    return [
      ...links.flatMap(([link, target]) => ['--symlink', target, link]),
      ...[...kept].flatMap(([path, mode]) => (mode === 'hidden' ? masked(path) : [BIND[mode], path, path])),
    ];
  }

  /** The path without links; those on the way are shown as links, because programs know the path by them. */
  #follow(path: string, hops = 0): string {
    const parts = path.split('/').slice(1);
    for (const at of parts.keys()) {
      const before = `/${parts.slice(0, at + 1).join('/')}`;
      if (lstatSync(before, { throwIfNoEntry: false })?.isSymbolicLink() !== true || hops > MAX_LINKS) continue;
      const target = readlinkSync(before);
      if (at > 0 && !isSystem(before)) this.#links.set(before, target);
      return this.#follow(join(resolve(dirname(before), target), ...parts.slice(at + 1)), hops + 1);
    }
    return path;
  }
}

const BIND = { ro: '--ro-bind-try', rw: '--bind' } as const;
