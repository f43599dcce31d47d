import { globMatcher, globProblem } from '../../text/glob.ts';
import type { Argv, Ecosystem, Found } from './ecosystem.ts';
import { tomlTables, tomlTexts } from './manifest.ts';
import type { Place } from './place.ts';
import { standsAlone } from './python-alone.ts';
import { chooseRunner, type Runner, TEST_EXTRAS } from './python-tests.ts';

const REQUIREMENTS =
  /^(?:requirements|(?:dev|test|tests)[-_]requirements|requirements[-_](?:dev|test|tests)|requirements\/(?:base|main|dev|test|tests))\.(?:txt|in)$/;

/** Python with uv, poetry or plain pip in a virtual environment. */
export const python: Ecosystem = {
  manifests: ['pyproject.toml', 'requirements.txt', 'setup.py', 'Pipfile'],
  detect,
};

type Project = {
  readonly place: Place;
  readonly tables: ReadonlyMap<string, string>;
  readonly runner: Runner;
  /** Its modules need not be installed for their tests. */
  readonly alone: boolean;
};
type Way = Pick<Found, 'tool' | 'setup' | 'cache' | 'notes'> & { readonly run: (runner: Argv) => Argv };

async function detect(place: Place): Promise<Found | undefined> {
  const known = python.manifests.some((name) => place.has(name)) || place.files.some((path) => REQUIREMENTS.test(path));
  const tables = tomlTables(await place.read('pyproject.toml'));
  const runner = await chooseRunner(place, { tables, known });
  if (!known && runner.argv === undefined) return undefined;
  const project = { place, tables, runner, alone: runner.argv !== undefined && (await standsAlone(place, tables)) };
  const { run, notes, ...way } = chooseWay(project);
  const { argv } = runner;
  return {
    languages: ['python'],
    ...way,
    ...(argv !== undefined && { test: run(argv) }),
    notes: [...notes, ...runner.notes],
    untested: `No Python tests were found${place.dir === '' ? '' : ` in ${place.dir}`}; write some, or give the tests_pass gates a command of your own.`,
    covers: membersOf(tables),
  };
}

/** The folders of a uv workspace. */
function membersOf(tables: ReadonlyMap<string, string>): (dir: string) => boolean {
  const patterns = tomlTexts(tables.get('tool.uv.workspace'), 'members');
  const matchers = patterns.filter((pattern) => globProblem(pattern) === undefined).map(globMatcher);
  return (dir) => matchers.some((matches) => matches(dir));
}

function chooseWay(project: Project): Way {
  const { place, tables } = project;
  if (place.has('uv.lock')) return uv(project, true);
  if (place.has('poetry.lock') || tables.has('tool.poetry')) return poetry(project);
  if (tables.has('tool.uv')) return uv(project, false);
  return pip(project);
}

/** The tests run as a module here and below: that finds what lies beside them, installed or not. */
function uv({ place, tables }: Project, locked: boolean): Way {
  const folder = place.dir === '' ? [] : ['--directory', place.dir];
  const extras = TEST_EXTRAS.some((extra) => tomlTexts(tables.get('project.optional-dependencies'), extra).length > 0);
  return {
    tool: 'uv',
    setup: [['uv', 'sync', ...folder, ...(locked ? ['--frozen'] : []), ...(extras ? ['--all-extras'] : [])]],
    cache: [place.from('.venv')],
    notes: locked ? [] : ['There is no uv.lock, so set-up may install other versions each time; uv lock makes one.'],
    run: (runner) => ['uv', 'run', ...folder, ...(locked ? ['--frozen'] : []), 'python', ...runner],
  };
}

/** Poetry uses a .venv it finds; otherwise the environment would be elsewhere, under a name made of the folder's path. */
function poetry({ place }: Project): Way {
  const folder = place.dir === '' ? [] : ['--directory', place.dir];
  const unlocked = 'There is no poetry.lock, so set-up may install other versions each time; poetry lock makes one.';
  return {
    tool: 'poetry',
    setup: [
      ['python3', '-m', 'venv', place.from('.venv')],
      ['poetry', ...folder, 'install', '--no-interaction'],
    ],
    cache: [place.from('.venv')],
    notes: place.has('poetry.lock') ? [] : [unlocked],
    run: (runner) => ['poetry', ...folder, 'run', 'python', ...runner],
  };
}

/** The interpreter of a virtual environment that somebody may have made, else the system's. */
const IF_THERE = ['sh', '-c', 'PATH=".venv/bin:$PATH" exec python3 "$@"', 'python3'];

function pip(project: Project): Way {
  const { place } = project;
  const { wanted, groups, installed, notes } = wantedByPip(project);
  const inside = place.dir === '' ? [] : ['-C', place.dir];
  const path = project.runner.sourceFolder && !installed ? ['PYTHONPATH=src'] : [];
  const env = inside.length + path.length > 0 ? ['env', ...inside, ...path] : [];
  const install = [place.from('.venv/bin/python'), '-m', 'pip', 'install'];
  const prepared = place.prepared ? ['.venv/bin/python'] : IF_THERE;
  const interpreter = wanted.length > 0 ? prepared : ['python3'];
  return {
    tool: 'pip',
    setup:
      wanted.length === 0
        ? []
        : [
            ['python3', '-m', 'venv', place.from('.venv')],
            ...(groups ? [[...install, 'pip>=25.1']] : []),
            [...install, ...wanted],
          ],
    cache: wanted.length === 0 ? [] : [place.from('.venv')],
    notes,
    run: (argv) => [...env, ...interpreter, ...argv],
  };
}

type Wanted = {
  readonly wanted: string[];
  readonly groups: boolean;
  /** The package itself is installed, so that its modules are found wherever they lie. */
  readonly installed: boolean;
  readonly notes: string[];
};

/** Groups of dependencies are known to newer versions of pip only. */
function wantedByPip({ place, tables, runner, alone }: Project): Wanted {
  const files = place.files.filter((path) => REQUIREMENTS.test(path) && path.endsWith('.txt'));
  const packaged = tables.has('project') || tables.has('build-system') || place.has('setup.py');
  const optional = tables.get('project.optional-dependencies');
  const extras = TEST_EXTRAS.filter((extra) => tomlTexts(optional, extra).length > 0);
  const groups = TEST_EXTRAS.filter((group) => tomlTexts(tables.get('dependency-groups'), group).length > 0);
  const { missing, elsewhere } = runner;
  const others = [...files, ...extras, ...groups, missing, elsewhere].filter((each) => each !== undefined);
  const installed = packaged && (others.length > 0 || !alone);
  const itself = `${place.dir === '' ? '.' : `./${place.dir}`}${extras.length > 0 ? `[${extras.join(',')}]` : ''}`;
  const wanted = [
    ...files.flatMap((file) => ['-r', place.from(file)]),
    ...(installed ? ['-e', itself] : []),
    ...groups.flatMap((group) => ['--group', place.dir === '' ? group : `${place.from('pyproject.toml')}:${group}`]),
  ];
  // What nobody wants installed may have been installed by hand, with all that the tests need.
  const more = missing ?? (wanted.length > 0 ? elsewhere : undefined);
  const pipenv = `${place.from('Pipfile')} is not read; write the set-up by hand, for example [pipenv, sync, --dev].`;
  return {
    wanted: [...wanted, ...(more === undefined ? [] : [more])],
    groups: groups.length > 0,
    installed,
    notes: place.has('Pipfile') && files.length === 0 ? [pipenv] : [],
  };
}
