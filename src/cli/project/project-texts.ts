import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SHIPPED_TEMPLATES } from '../../adapters/world.ts';

/** The languages a new project can be written in. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The helix.yaml of a new project, every key explained. */
export function helixYaml(language: Language): string {
  return shipped(language, 'project/helix.yaml');
}

/** The comment that stands where the gate on tests would, as long as nobody knows how to run them. */
export function noTestsComment(language: Language): string {
  return shipped(language, 'project/no-tests.yaml').trimEnd().replaceAll(/^#/gm, '');
}

/** German for the words of the project types HELIX ships. */
export function germanWords(): ReadonlyMap<string, string> {
  return new Map(Object.entries(parse(shipped('de', 'words.yaml')) as Record<string, string>));
}

/** Never a project's own text: what is written from it is trusted. */
function shipped(language: Language, path: string): string {
  return readFileSync(join(SHIPPED_TEMPLATES, language, path), 'utf8');
}
