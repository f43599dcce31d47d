// Installs the agents the tests drive, at the versions of test/agents/versions.json, beside the package and not into it:
//   node scripts/install-agents.mjs [--only name]... [--optional name]...
//   node scripts/install-agents.mjs --where name        prints the installed program; exit code 1 when there is none
// They go below $HELIX_AGENT_TOOLS, by default helix-test-tools in the user's cache. HELIX_AGENT_VERSIONS="name=1.2.3"
// asks for another version. Runs on Node >= 20 and needs no dependency.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const INSTALL_MS = 600_000;
const START_MS = 30_000;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    optional: { type: 'string', multiple: true, default: [] },
    where: { type: 'string' },
  },
});
const pinned = JSON.parse(readFileSync(new URL('../test/agents/versions.json', import.meta.url), 'utf8'));
const asked = new Map((process.env.HELIX_AGENT_VERSIONS ?? '').split(',').map((pair) => pair.split('=')));
const tools =
  process.env.HELIX_AGENT_TOOLS || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'helix-test-tools');

if (values.where !== undefined) {
  const { stamp, version } = place(values.where);
  const program = installed(stamp);
  if (program === undefined) {
    console.error(
      `${values.where} ${version} is not installed; node scripts/install-agents.mjs --only ${values.where}`,
    );
    process.exit(1);
  }
  console.log(program);
} else {
  for (const name of values.only ?? Object.keys(pinned)) {
    try {
      console.log(install(name));
    } catch (error) {
      const optional = values.optional.includes(name);
      console.log(`${optional ? 'skipped' : 'failed'}: ${name}: ${error.message}`);
      if (!optional) process.exitCode = 1;
    }
  }
}

function place(name) {
  const agent = pinned[name];
  if (agent === undefined) throw new Error(`no such agent; there are ${Object.keys(pinned).join(', ')}`);
  const version = asked.get(name) ?? agent.version;
  const dir = join(tools, `${name}-${version}`);
  return { ...agent, version, dir, stamp: join(dir, 'program') };
}

/** The program a finished installation has left word of. */
function installed(stamp) {
  const program = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  return existsSync(program) ? program : undefined;
}

function install(name) {
  const { package: from, version, bin, dir, stamp } = place(name);
  const already = installed(stamp);
  if (already !== undefined) return `${name} ${version}: ${already}`;
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', `${from}@${version}`];
  const npm = spawnSync('npm', args, { cwd: dir, encoding: 'utf8', timeout: INSTALL_MS });
  if (npm.error) throw npm.error;
  if (npm.status !== 0) throw new Error(`npm install ended with ${npm.status}: ${excerpt(npm.stderr)}`);
  const program = working(join(dir, 'node_modules'), { from, bin, version });
  writeFileSync(stamp, program);
  return `${name} ${version}: ${program}`;
}

/** Without install scripts the command may be a stub; then the program is in the package of the platform. */
function working(modules, { from, bin, version }) {
  const scope = join(modules, dirname(from));
  const platforms = readdirSync(scope).filter((name) => name.startsWith(`${basename(from)}-`));
  const candidates = [join(modules, '.bin', bin), ...platforms.map((name) => join(scope, name, bin))];
  const failures = candidates.map((program) => {
    const { status, stdout, stderr, error } = spawnSync(program, ['--version'], {
      encoding: 'utf8',
      timeout: START_MS,
    });
    return status === 0 && stdout.includes(version) ? '' : error?.message || excerpt(stderr || stdout);
  });
  const program = candidates[failures.indexOf('')];
  if (program === undefined) throw new Error(`it does not start: ${failures.join('; ')}`);
  return program;
}

function excerpt(text) {
  return text.trim().split('\n').slice(0, 3).join(' ').slice(0, 300);
}
