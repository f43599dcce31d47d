import { delimiter } from 'node:path';
import { absoluteEntries } from '../disk/find-program.ts';

/** The variable by which every process of an attempt is found again, however often it has forked. */
export const MARKER_VARIABLE = 'HELIX_MARKER';

const ALLOWED = [
  ...['PATH', 'HOME', 'LANG', 'TERM', 'TZ', 'TMPDIR', 'USER', 'LOGNAME', 'SHELL'],
  // Where toolchains lie: without these some of the programs in PATH do not find themselves.
  ...[
    'RUSTUP_HOME',
    'RUSTUP_TOOLCHAIN',
    'CARGO_HOME',
    'PYENV_ROOT',
    'RBENV_ROOT',
    'NODENV_ROOT',
    'NVM_DIR',
    'VOLTA_HOME',
  ],
  ...[
    'ASDF_DIR',
    'ASDF_DATA_DIR',
    'MISE_DATA_DIR',
    'SDKMAN_DIR',
    'DOTNET_ROOT',
    'JAVA_HOME',
    'GOROOT',
    'GOPATH',
    'GOMODCACHE',
  ],
  ...['ANDROID_HOME', 'PNPM_HOME', 'DENO_DIR', 'COREPACK_HOME', 'PLAYWRIGHT_BROWSERS_PATH'],
];

/** What of an environment a program may see: the harmless names, LC_* and the names given; never a secret by default. */
export function allowedEnv(
  source: Readonly<Record<string, string | undefined>>,
  extraNames: readonly string[],
): Record<string, string> {
  const names = new Set([...ALLOWED, ...extraNames]);
  const allowed: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    if (value !== undefined && (names.has(name) || name.startsWith('LC_'))) allowed[name] = value;
  }
  // In another directory a relative entry would lead into the work, and `env node` would find what lies there.
  if (allowed.PATH !== undefined) allowed.PATH = absoluteEntries(allowed.PATH).join(delimiter);
  return allowed;
}
