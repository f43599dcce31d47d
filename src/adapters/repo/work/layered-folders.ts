import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Layer, Processes } from '../../../ports/processes.ts';
import type { Tree } from '../../../ports/tree.ts';
import { removeTree } from '../../disk/make-accessible.ts';
import { relocateVirtualEnvironment } from './virtual-environment.ts';

/** Characters that part the options of a mount. */
const PARTS = /[,:\\\n]/;
const PROBE_MS = 10_000;

/** Where layers are to be. */
type Wanted = {
  readonly dir: string;
  /** An empty place that only HELIX reaches, for what programs write over what they are shown. */
  readonly aside: string;
  /** Where what they are shown lies, and the directory that it was made in. */
  readonly kept: { readonly files: string; readonly dir: string };
  readonly folders: readonly string[];
};

/** Makes ready what programs behind walls are shown in place of copies of folders. */
export function layFolders({ dir, aside, kept, folders }: Wanted): Layer[] {
  return folders.map((folder, at) => {
    const own = join(aside, String(at));
    const layer = {
      ...{ at: join(dir, folder), lower: join(kept.files, folder) },
      ...{ upper: join(own, 'upper'), work: join(own, 'work') },
    };
    rmSync(layer.at, { recursive: true, force: true });
    for (const path of [layer.at, layer.work]) mkdirSync(path, { recursive: true, mode: 0o700 });
    mkdirSync(layer.upper, { mode: lstatSync(layer.lower).mode & 0o777 });
    relocateVirtualEnvironment(layer.lower, { from: kept.dir, to: dir, into: layer.upper });
    return layer;
  });
}

/**
 * Tells whether a folder can be shown and need not be copied: all of it is what set-up made, and nothing of it is the phase's work,
 * because what is written over it is seen by nobody else.
 */
export function canBeShown(folder: string, { files, tree, declared }: Shown): boolean {
  if (PARTS.test(files) || PARTS.test(folder)) return false;
  if (!lstatSync(join(files, folder)).isDirectory()) return false;
  const { links = [], submodules = [] } = tree;
  const paths = [...tree.files, ...links, ...submodules].map(({ path }) => path);
  return ![...paths, ...declared].some((path) => path === folder || path.startsWith(`${folder}/`));
}

type Shown = {
  readonly files: string;
  readonly tree: Tree;
  /** What the phase is to deliver. */
  readonly declared: readonly string[];
};

type Means = { readonly processes: Processes; readonly env: Readonly<Record<string, string>>; readonly marker: string };

/** Tells whether layers work here, by one that is shown and changed: it takes a file system and a kernel that can do that. */
export async function tryLayers(dir: string, { processes, env, marker }: Means): Promise<boolean> {
  if (PARTS.test(dir)) return false;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const place = mkdtempSync(join(dir, 'layers-'));
  const files = join(place, 'kept');
  try {
    mkdirSync(join(files, 'shown/deep'), { recursive: true });
    for (const path of ['changed', 'deep/gone']) writeFileSync(join(files, 'shown', path), 'kept');
    const aside = join(place, 'aside');
    const layers = layFolders({ dir: place, aside, kept: { files, dir: place }, folders: ['shown'] });
    const { exitCode } = await processes.run({
      ...{ argv: ['/bin/sh', '-c', TRIAL], cwd: place, env, wallMs: PROBE_MS },
      marker: `${marker}:layers-${randomBytes(4).toString('hex')}`,
      confine: { kind: 'closed', writable: [place], readable: [], network: 'loopback', layers },
    });
    return exitCode === 0;
  } finally {
    removeTree(place);
  }
}

/** The folder that is shown can be read and changed, and what was kept is not changed by that. */
const TRIAL = `cd shown && [ "$(cat changed)" = kept ] && echo other > changed && [ "$(cat changed)" = other ] &&
rm deep/gone && [ ! -e deep/gone ] && rmdir deep && mkdir deep && [ -z "$(ls deep)" ] &&
[ "$(cat ../kept/shown/changed)" = kept ] && [ -e ../kept/shown/deep/gone ]`;
