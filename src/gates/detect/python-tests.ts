import type { Argv } from './ecosystem.ts';
import { tomlTexts } from './manifest.ts';
import type { Place } from './place.ts';

const MOST_READ = 40;
const DECLARING =
  /(?:^|\/)(?:pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|Pipfile|[\w./-]*requirements[\w./-]*\.(?:txt|in))$/;

/** Extras and groups of dependencies that are installed for the tests. */
export const TEST_EXTRAS = ['test', 'tests', 'testing', 'dev'];
const REQUIREMENTS = /requirements[\w./-]*\.(?:txt|in)$/;

/** What runs the tests, after the interpreter. */
export type Runner = {
  readonly argv: Argv | undefined;
  /** Modules lie in src/, where the interpreter does not look by itself. */
  readonly sourceFolder: boolean;
  /** A package the tests need and nothing declares. */
  readonly missing?: string;
  /** A package the tests need that is declared for other tools only, such as tox. */
  readonly elsewhere?: string;
  readonly notes: readonly string[];
};

type Facts = { readonly tables: ReadonlyMap<string, string>; readonly known: boolean };

/** Where nothing says that this is a Python project, only tests at its top do. */
export async function chooseRunner(place: Place, { tables, known }: Facts): Promise<Runner> {
  const sourceFolder = place.files.some((path) => /^src\/.*\.py$/.test(path));
  const tests = place.files
    .filter((path) => /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(path) && !isHidden(path))
    .filter((path) => known || /^(?:tests?\/)?[^/]*$/.test(path));
  const declared = known ? await declaresPytest(place, tables) : 'not';
  const elsewhere = declared === 'elsewhere' ? { elsewhere: 'pytest' } : {};
  if (declared !== 'not') return { argv: ['-m', 'pytest'], sourceFolder, ...elsewhere, notes: [] };
  if (tests.length === 0) return { argv: undefined, sourceFolder, notes: [] };
  for (const path of tests.slice(0, MOST_READ))
    if (/^\s*(?:import|from)\s+unittest\b/m.test((await place.read(path)) ?? ''))
      return { argv: unittest(place, tests), sourceFolder, notes: [] };
  const note = `The Python tests look as if they were for pytest, which nothing declares; add it to the project's dependencies.`;
  return { argv: ['-m', 'pytest'], sourceFolder, missing: 'pytest', notes: [note] };
}

type Declared = 'to be installed' | 'elsewhere' | 'not';

async function declaresPytest(place: Place, tables: ReadonlyMap<string, string>): Promise<Declared> {
  const naming: string[] = [];
  for (const path of place.files.filter((file) => DECLARING.test(file) && file.split('/').length <= 2))
    if (/^[^#\n]*\bpytest\b/m.test((await place.read(path)) ?? '')) naming.push(path);
  if (naming.some((path) => REQUIREMENTS.test(path)) || namesPytest(tables)) return 'to be installed';
  const settings = place.files.some((path) => /(?:^|\/)(?:conftest\.py|pytest\.ini)$/.test(path) && !isHidden(path));
  return naming.length > 0 || settings || tables.has('tool.pytest') ? 'elsewhere' : 'not';
}

function namesPytest(tables: ReadonlyMap<string, string>): boolean {
  const lists = [
    tomlTexts(tables.get('project'), 'dependencies'),
    ...['project.optional-dependencies', 'dependency-groups'].flatMap((table) =>
      TEST_EXTRAS.map((name) => tomlTexts(tables.get(table), name)),
    ),
  ];
  return lists.flat().some((name) => /^pytest\b/.test(name));
}

/** Discovery goes into packages only, so a folder of tests that is none must be named. */
function unittest(place: Place, tests: readonly string[]): Argv {
  const folder = ['tests', 'test'].find((dir) => tests.some((path) => path.startsWith(`${dir}/`)));
  const inside = folder === undefined || place.has(`${folder}/__init__.py`);
  const pattern = tests.every((path) => path.endsWith('_test.py')) ? ['-p', '*_test.py'] : [];
  if (inside && pattern.length === 0) return ['-m', 'unittest'];
  return ['-m', 'unittest', 'discover', ...(inside ? [] : ['-s', folder]), ...pattern];
}

function isHidden(path: string): boolean {
  return /(?:^|\/)(?:\.[^/]+|node_modules|site-packages|venv)\//.test(path);
}
