import type { Ecosystem, Found } from './ecosystem.ts';
import type { Place } from './place.ts';

/** Go modules and workspaces; packages are cached in the home directory. */
export const go: Ecosystem = { manifests: ['go.mod', 'go.work'], detect };

async function detect(place: Place): Promise<Found | undefined> {
  if (place.has('go.work')) return workspace(place);
  if (!place.has('go.mod')) return undefined;
  const needs = place.has('go.sum') || /^\s*require\b/m.test((await place.read('go.mod')) ?? '');
  return {
    tool: 'go',
    languages: ['go'],
    setup: needs && !place.has('vendor/modules.txt') ? [['go', 'mod', 'download', ...folder(place)]] : [],
    cache: [],
    test: ['go', 'test', ...folder(place), './...'],
    notes: [],
  };
}

/** The modules are named one by one: below a folder that is no module itself `./...` finds nothing. */
async function workspace(place: Place): Promise<Found> {
  const text = ((await place.read('go.work')) ?? '').replaceAll(/\/\/.*/g, '');
  const blocks = [...text.matchAll(/^\s*use\s*(?:\(([^)]*)\)|(\S+))/gm)];
  const modules = blocks
    .flatMap(([, block, single]) => (block ?? single ?? '').split(/\s+/))
    .map((dir) =>
      dir
        .replaceAll('"', '')
        .replace(/^\.\/?/, '')
        .replace(/\/+$/, ''),
    )
    .filter(
      (dir) => /^[\w./@-]*$/.test(dir) && !dir.startsWith('-') && place.has(dir === '' ? 'go.mod' : `${dir}/go.mod`),
    );
  const unique = [...new Set(modules)];
  const none = 'go.work names no module that is there; give the tests_pass gates a command of your own.';
  return {
    tool: 'go',
    languages: ['go'],
    setup: [['go', 'mod', 'download', ...folder(place)]],
    cache: [],
    ...(unique.length > 0 && {
      test: ['go', 'test', ...folder(place), ...unique.map((dir) => (dir === '' ? './...' : `./${dir}/...`))],
    }),
    notes: [],
    untested: none,
    covers: (dir) => unique.includes(dir),
  };
}

function folder({ dir }: Place): string[] {
  return dir === '' ? [] : ['-C', dir];
}
