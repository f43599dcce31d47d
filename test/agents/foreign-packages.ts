import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';

const DOWNLOAD_MS = 60_000;

/** What somebody else has published under a name and a version; where its archive is another one, it is not used. */
export type ForeignPackage = {
  readonly registry: 'npm' | 'debian';
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
};

type Target = { readonly dir: string; readonly scratch: string };

/** Unpacks a package into an empty directory; where it cannot be had the test is skipped. */
export async function unpack(test: TestContext, foreign: ForeignPackage, { dir, scratch }: Target): Promise<void> {
  const archive = join(scratch, 'archive.tar.gz');
  try {
    writeFileSync(archive, foreign.registry === 'npm' ? fromNpm(foreign, scratch) : await fromDebian(foreign));
  } catch (error) {
    skip(test, `${foreign.name} ${foreign.version} cannot be downloaded: ${(error as Error).message}`);
  }
  const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex');
  if (sha256 !== foreign.sha256) throw new Error(`the archive of ${foreign.name} is another one: ${sha256}`);
  execFileSync('tar', ['-xzf', archive, '-C', dir, '--strip-components=1', '--no-same-owner'], { stdio: 'pipe' });
}

/** Fills the npm cache of a home with what a package needs, and has npm use nothing else from then on. */
export function fetchDependencies(test: TestContext, dir: string, env: Readonly<Record<string, string>>): void {
  const how = { cwd: dir, env, encoding: 'utf8', timeout: DOWNLOAD_MS } as const;
  const install = spawnSync('npm', ['install', ...NPM_QUIET, '--no-package-lock', '--ignore-scripts'], how);
  if (install.status !== 0) skip(test, `the dependencies cannot be downloaded: ${install.stderr}`);
  execFileSync('rm', ['-rf', join(dir, 'node_modules')]);
  writeFileSync(join(env.HOME ?? dir, '.npmrc'), 'offline=true\n');
}

/** Reporters show how many tests were skipped, but not why. */
export function skip(test: TestContext, why: string): never {
  const first = why.trim().split('\n').slice(0, 2).join(' ');
  process.stderr.write(`skipped: ${first}\n`);
  return test.skip(first);
}

const NPM_QUIET = ['--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=0'];

function fromNpm({ name, version }: ForeignPackage, scratch: string): Buffer {
  const args = ['pack', `${name}@${version}`, '--json', ...NPM_QUIET];
  const said = execFileSync('npm', args, { cwd: scratch, encoding: 'utf8', timeout: DOWNLOAD_MS, stdio: 'pipe' });
  const [packed] = JSON.parse(said) as { readonly filename: string }[];
  return readFileSync(join(scratch, packed?.filename ?? ''));
}

/** A source package, from the mirror this machine's apt uses. */
async function fromDebian({ name, version }: ForeignPackage): Promise<Buffer> {
  const list = ['indextargets', '--no-release-info', '--format', '$(SITE)', 'Created-By: Packages'];
  const sites = new Set(execFileSync('apt-get', list, { encoding: 'utf8', stdio: 'pipe' }).split('\n').filter(Boolean));
  const path = `pool/main/${name.slice(0, 1)}/${name}/${name}_${version}.orig.tar.gz`;
  const refusals: string[] = [];
  for (const site of sites) {
    const answer = await fetch(`${site}/${path}`, { signal: AbortSignal.timeout(DOWNLOAD_MS) });
    if (answer.ok) return Buffer.from(await answer.arrayBuffer());
    refusals.push(`${answer.status}`);
  }
  throw new Error(`no mirror has it (${refusals.join(', ') || 'apt knows none'})`);
}
