import { globMatcher, globProblem } from '../../text/glob.ts';
import type { Ecosystem, Found } from './ecosystem.ts';
import { tomlTables, tomlTexts } from './manifest.ts';
import type { Place } from './place.ts';

/** Cargo packages and workspaces; crates are cached in the home directory. */
export const cargo: Ecosystem = { manifests: ['Cargo.toml'], detect };

async function detect(place: Place): Promise<Found | undefined> {
  if (!place.has('Cargo.toml')) return undefined;
  const tables = tomlTables(await place.read('Cargo.toml'));
  const manifest = place.dir === '' ? [] : ['--manifest-path', place.from('Cargo.toml')];
  const whole = tables.has('workspace');
  const members = tomlTexts(tables.get('workspace'), 'members')
    .filter((pattern) => globProblem(pattern) === undefined)
    .map((pattern) => globMatcher(pattern.replace(/^\.\//, '').replace(/\/+$/, '')));
  return {
    tool: 'cargo',
    languages: ['rust'],
    setup: [['cargo', 'fetch', ...(place.has('Cargo.lock') ? ['--locked'] : []), ...manifest]],
    cache: [],
    test: ['cargo', 'test', ...(whole ? ['--workspace'] : []), ...manifest],
    notes: place.has('Cargo.lock') ? [] : ['There is no Cargo.lock, so set-up may fetch other versions each time.'],
    covers: (dir) => members.some((matches) => matches(dir)),
  };
}
