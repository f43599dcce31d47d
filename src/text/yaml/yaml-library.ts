import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

const require = createRequire(import.meta.url);
let loaded: typeof Yaml | undefined;

/** The YAML library, loaded when a text first needs it: that takes a quarter of the time of a short command. */
export function yamlLibrary(): typeof Yaml {
  loaded ??= require('yaml') as typeof Yaml;
  return loaded;
}
