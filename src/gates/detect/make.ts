import type { Ecosystem } from './ecosystem.ts';

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];

/** A Makefile with a target for the tests. It says nothing about set-up. */
export const make: Ecosystem = {
  manifests: MAKEFILES,
  detect: async (place) => {
    const file = MAKEFILES.find((name) => place.has(name));
    if (file === undefined) return undefined;
    const text = (await place.read(file)) ?? '';
    const target = ['test', 'check', 'tests'].find((name) =>
      new RegExp(`^(?:[\\w.-]+ +)*${name}(?: +[\\w.-]+)* *::?(?!=)`, 'm').test(text),
    );
    const folder = place.dir === '' ? [] : ['-C', place.dir];
    const none = `${place.from(file)} has no target test or check; write one, or give the tests_pass gates a command of your own.`;
    return {
      tool: 'make',
      languages: place.files.some((path) => /\.(?:cc|cpp|cxx|hpp)$/.test(path))
        ? ['c++']
        : place.files.some((path) => /\.[ch]$/.test(path))
          ? ['c']
          : [],
      setup: [],
      cache: [],
      ...(target !== undefined && { test: ['make', ...folder, target] }),
      notes: target === undefined ? [none] : [],
    };
  },
};
