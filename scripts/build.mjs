// Makes dist/: HELIX's code and the libraries it uses, joined into files that load in two thirds of the time. bin/helix takes
// them as long as nothing below src/ is newer. With `--types` also what compilers of other projects read.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const entries = ['cli/main', 'cli/dispatch', 'index', 'adapters/programs/syntax-program'];

// They load WebAssembly that lies beside them.
const external = /^(@vscode\/tree-sitter-wasm|web-tree-sitter)(\/|$)/;

/** Some libraries are required where they are first needed: this way the bundler sees it. */
const seenRequires = {
  name: 'helix-requires',
  transform: {
    filter: { code: 'const require = createRequire(import.meta.url);' },
    handler: (code) => code.replace('const require = createRequire(import.meta.url);', ''),
  },
};

const made = mkdtempSync(join(root, 'node_modules', '.helix-dist-'));
// What fails on the way leaves nothing behind; what succeeds has been renamed by then.
process.on('exit', () => rmSync(made, { recursive: true, force: true }));
// Written first: what is changed while this goes on is newer.
writeFileSync(join(made, '.built'), '');
const build = await rolldown({
  cwd: root,
  input: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  platform: 'node',
  external,
  plugins: [seenRequires],
});
const { output } = await build.write({ dir: made, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' });
await build.close();
writeFileSync(join(made, 'LICENSES.txt'), licences(output.flatMap(({ moduleIds = [] }) => moduleIds)));
rmSync(dist, { recursive: true, force: true });
chmodSync(made, 0o755);
renameSync(made, dist);

if (process.argv.includes('--types')) {
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', '.bin', 'tsc'), '-p', 'tsconfig.build.json'],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  process.exitCode = status ?? 1;
}

/** The licences of the libraries that are part of what was made. */
function licences(files) {
  const names = new Set(files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []));
  return [...names]
    .sort()
    .map((name) => {
      const dir = join(root, 'node_modules', name);
      const licence = readdirSync(dir).find((file) => /^licen[cs]e/i.test(file));
      if (licence === undefined) throw new Error(`${name} has no licence`);
      return `${name}\n\n${readFileSync(join(dir, licence), 'utf8').trim()}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
