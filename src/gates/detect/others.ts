import type { Ecosystem } from './ecosystem.ts';
import { fieldsOf, parseJsonMap } from './manifest.ts';

/** PHP with Composer. */
export const composer: Ecosystem = {
  manifests: ['composer.json'],
  detect: async (place) => {
    if (!place.has('composer.json')) return undefined;
    const folder = place.dir === '' ? [] : ['--working-dir', place.dir];
    const scripted = fieldsOf(parseJsonMap(await place.read('composer.json'))?.scripts)?.test !== undefined;
    const phpunit = ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'].some((name) => place.has(name));
    const none = `No tests were found for ${place.from('composer.json')}; give the tests_pass gates a command of your own.`;
    const test = scripted ? ['run-script', 'test'] : ['exec', 'phpunit'];
    return {
      tool: 'composer',
      languages: ['php'],
      setup: [['composer', 'install', '--no-interaction', ...folder]],
      cache: place.files.some((path) => path.startsWith('vendor/')) ? [] : [place.from('vendor')],
      ...((scripted || phpunit) && { test: ['composer', ...test, ...folder] }),
      notes: [],
      untested: none,
    };
  },
};

/** Ruby with Bundler; gems are installed where the user's Bundler keeps them. */
export const bundler: Ecosystem = {
  manifests: ['Gemfile'],
  detect: async (place) => {
    if (!place.has('Gemfile')) return undefined;
    const inside = place.dir === '' ? [] : ['env', '-C', place.dir];
    const runner = place.files.some((path) => path.startsWith('spec/')) ? ['rspec'] : ['rake', 'test'];
    const known = runner[0] === 'rspec' || place.has('Rakefile');
    const none = `No tests were found for ${place.from('Gemfile')}; give the tests_pass gates a command of your own.`;
    return {
      tool: 'bundler',
      languages: ['ruby'],
      setup: [[...inside, 'bundle', 'install']],
      cache: [],
      ...(known && { test: [...inside, 'bundle', 'exec', ...runner] }),
      notes: [],
      untested: none,
    };
  },
};

/** .NET solutions and projects; packages are cached in the home directory. */
export const dotnet: Ecosystem = {
  manifests: [],
  detect: async (place) => {
    const at =
      place.files.find((path) => /^[\w.-]+\.slnx?$/.test(path)) ??
      place.files.find((path) => /^[\w.-]+\.(?:cs|fs|vb)proj$/.test(path));
    if (at === undefined) return undefined;
    return {
      tool: 'dotnet',
      languages: [place.files.some((path) => path.endsWith('.fs')) ? 'f#' : 'c#'],
      setup: [['dotnet', 'restore', place.from(at)]],
      cache: [],
      test: ['dotnet', 'test', place.from(at)],
      notes: [],
    };
  },
};
