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

/** Libraries that most calls do not need; each is a file of its own that is read when it is required. */
const lazyLibraries = { yaml: 'yaml.cjs', 'markdown-it/dist/markdown-it.min.js': 'markdown-it.cjs' };
const requires = /(?<=\brequire\(')[^']+(?='\))/g;
const withLazyLibraries = {
  name: 'helix-lazy-libraries',
  transform: {
    filter: { code: 'createRequire(import.meta.url)' },
    handler: (code) => code.replace(requires, (name) => `../libraries/${lazyLibraries[name]}`),
  },
};

/** What nearly every call loads, and what checking an ADR does: a file for each module takes a short call a tenth of its time. */
const groups = [
  {
    name: 'start',
    test: /\/src\/(cli\/call\/(command|exit-code|format-of|nearest-project)|text\/(did-you-mean|glob|is-record|sanitise|secrets\/|yaml\/(simple-yaml|yaml))|domain\/(facts\/run-state|helix-error|present)|adapters\/(disk\/(installation|io-error|shipped-config)|programs\/inherited-descriptors|secrets\/(known-secrets|user-settings))|report\/words\/findings-text)/,
  },
  {
    name: 'adr-check',
    test: /\/src\/(cli\/adr\/(adr|check|check-formats|rules)|adapters\/adrs\/(adr-file|read|walk)|adr\/(check-adr|corpus|document|structure|rules\/(?!load)|rules\/load\/compile)|report\/adr\/adr-check-text).*\.ts$/,
  },
];

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
  plugins: [withLazyLibraries],
});
const { output } = await build.write({
  ...{ dir: made, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' },
  codeSplitting: { groups },
});
await build.close();
const astray = output.find(
  ({ code = '', fileName }) => code.includes('../libraries/') && !/^[^/]+\/[^/]+$/.test(fileName),
);
if (astray !== undefined) throw new Error(`${astray.fileName} does not find the libraries from where it lies`);
for (const [name, file] of Object.entries(lazyLibraries)) {
  const library = await rolldown({ cwd: root, input: name, platform: 'node' });
  output.push(...(await library.write({ file: join(made, 'libraries', file), format: 'cjs' })).output);
  await library.close();
}
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
