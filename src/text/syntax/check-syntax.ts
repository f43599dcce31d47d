import type { Language } from '../../domain/language.ts';
import { checkJson } from './json-syntax.ts';
import type { Problems } from './problem.ts';

/** Checks a text against the syntax of a language; what a language needs is loaded when it is first asked for. */
export async function checkSyntax(language: Language, text: string): Promise<Problems> {
  if (language === 'json' || language === 'jsonc') return checkJson(text, language === 'jsonc');
  if (language === 'yaml') return (await import('./yaml-syntax.ts')).checkYaml(text);
  return (await import('./source-syntax.ts')).checkSource(language, text);
}
