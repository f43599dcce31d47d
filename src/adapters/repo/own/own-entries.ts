import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

type Known = { readonly files: RegExp; readonly folders: RegExp };

const NONE = /^(?!)/;

/** What another process is about to put in its place, which git reads nothing from. */
const UNFINISHED = /^\..+\.[0-9a-f]{12}$|\.lock$/;

/** All that HELIX's own repository consists of, by folder: whatever else git would honour there, somebody else brought. */
const KNOWN: Readonly<Record<string, Known>> = {
  '.': { files: /^(HEAD|config|shallow|branches\.json)$/, folders: /^(objects|refs|info|indexes|guards)$/ },
  refs: { files: NONE, folders: NONE },
  info: { files: /^(exclude|attributes)$/, folders: NONE },
  objects: { files: /^tmp_obj_/, folders: /^([0-9a-f]{2}|info|pack|tmp_objdir-.+)$/ },
  'objects/info': { files: /^alternates$/, folders: NONE },
};

/** Removes everything from HELIX's own repository that HELIX does not put there, and links in place of what it does. */
export function removeForeign(dir: string): void {
  for (const [folder, known] of Object.entries(KNOWN)) {
    for (const item of readdirSync(join(dir, folder), { withFileTypes: true })) {
      const isKnown = item.isDirectory()
        ? known.folders.test(item.name)
        : item.isFile() && (known.files.test(item.name) || UNFINISHED.test(item.name));
      if (!isKnown) rmSync(join(dir, folder, item.name), { recursive: true, force: true });
    }
  }
}
