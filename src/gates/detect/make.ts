import type { Ecosystem } from './ecosystem.ts';
import type { Place } from './place.ts';

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const TARGETS = ['test', 'check', 'tests'];

/** A Makefile with a target for the tests. It says nothing about set-up. */
export const make: Ecosystem = {
  manifests: MAKEFILES,
  detect: async (place) => {
    const file = MAKEFILES.find((name) => place.has(name));
    if (file === undefined) return undefined;
    const text = (await place.read(file)) ?? '';
    const target = TARGETS.find((name) => hasTarget(text, name));
    return {
      tool: 'make',
      languages: languagesOf(place),
      setup: [],
      cache: [],
      ...(target !== undefined && {
        test: ['make', ...(place.dir === '' ? [] : [`--directory=${place.dir}`]), target],
      }),
      notes: [],
      untested: `${place.from(file)} has no target test or check; write one, or give the tests_pass gates a command of your own.`,
    };
  },
};

function hasTarget(text: string, name: string): boolean {
  return text.split('\n').some((line) => {
    const targets = /^([^\s:=#][^:=#]*)::?(?!=)/.exec(line)?.[1];
    return targets?.split(/\s+/).includes(name) === true;
  });
}

function languagesOf(place: Place): string[] {
  if (place.files.some((path) => /\.(?:cc|cpp|cxx|hpp)$/.test(path))) return ['c++'];
  return place.files.some((path) => /\.[ch]$/.test(path)) ? ['c'] : [];
}
