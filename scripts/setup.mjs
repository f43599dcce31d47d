// Prepares a checkout: installs the locked dependencies (a pinned Node among them) when they are missing or stale, and joins
// the code into dist/, which loads faster, when something of it has changed.
// Runs on the system's own Node (>= 18) and needs no dependency.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stampFile = join(root, 'node_modules', '.helix-setup');
const stamp = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(`${process.platform} ${process.arch}`)
  .digest('hex');

if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
  console.error('helix: installing the locked dependencies (once per lock file) ...');
  const install = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (install.error) throw install.error;
  if (install.status !== 0) process.exit(install.status ?? 1);
  writeFileSync(stampFile, stamp);
}

if (!existsSync(join(root, 'node_modules', '.bin', 'node')) && Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `helix: no pinned Node for ${process.platform}-${process.arch}; install Node 24 or newer and run this again.`,
  );
  process.exit(2);
}

const built = join(root, 'dist', '.built');
if (!existsSync(built) || ['src', 'package.json'].some((path) => isNewer(join(root, path), statSync(built).mtimeMs))) {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  const node = existsSync(pinned) ? pinned : process.execPath;
  const { status } = spawnSync(node, [join(root, 'scripts', 'build.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) console.error('helix: dist/ could not be built, so that HELIX starts from its sources, and later.');
}

/** Tells whether a file, or anything below a folder, was changed after a moment. */
function isNewer(path, moment) {
  const stat = statSync(path);
  if (stat.mtimeMs > moment) return true;
  return stat.isDirectory() && readdirSync(path).some((name) => isNewer(join(path, name), moment));
}
