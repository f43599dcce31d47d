import type { Ecosystem, Found } from './ecosystem.ts';
import type { Place } from './place.ts';

/** Maven, by its wrapper where there is one. Without -q in the tests, which would hide how many ran. */
export const maven: Ecosystem = {
  manifests: ['pom.xml'],
  detect: async (place) => {
    if (!place.has('pom.xml')) return undefined;
    const program = wrapper(place, 'mvnw') ?? ['mvn'];
    const file = place.dir === '' ? [] : ['-f', place.from('pom.xml')];
    return {
      tool: 'maven',
      languages: languagesOf(place),
      setup: [[...program, '-q', '-B', ...file, 'dependency:go-offline']],
      cache: [],
      test: [...program, '-B', ...file, 'test'],
      notes: [],
      covers: (dir) => place.has(`${dir}/pom.xml`),
    };
  },
};

const BUILDS = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'];

/** Gradle, by its wrapper where there is one; compiling the tests is what fetches everything they need. */
export const gradle: Ecosystem = {
  manifests: BUILDS,
  detect: async (place) => {
    if (!BUILDS.some((name) => place.has(name))) return undefined;
    const program = wrapper(place, 'gradlew') ?? ['gradle'];
    const options = ['--no-daemon', '--console=plain', ...(place.dir === '' ? [] : ['-p', place.dir])];
    return {
      tool: 'gradle',
      languages: languagesOf(place),
      setup: [[...program, ...options, 'testClasses']],
      cache: [],
      test: [...program, ...options, 'test'],
      notes: [],
      covers: (dir) => BUILDS.some((name) => place.has(`${dir}/${name}`)),
    } satisfies Found;
  },
};

/** As a program it would be looked for in the project where phases have directories of their own; as an argument it is not. */
function wrapper(place: Place, name: string): string[] | undefined {
  if (!place.has(name)) return undefined;
  return place.prepared ? [`./${place.from(name)}`] : ['sh', place.from(name)];
}

function languagesOf(place: Place): string[] {
  const kotlin = place.files.some((path) => path.endsWith('.kt'));
  const java = place.files.some((path) => path.endsWith('.java'));
  return [...(java || !kotlin ? ['java'] : []), ...(kotlin ? ['kotlin'] : [])];
}
