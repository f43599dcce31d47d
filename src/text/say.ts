/** Says one of HELIX's own sentences in a language; `{name}` in it is put in from `values`, which are never looked at again. */
export type Say = (english: string, values?: Readonly<Record<string, string | number>>) => string;

/** Marks a sentence that is said later. */
export function phrase<T extends string>(english: T): T {
  return english;
}

/** Says everything as it is written. */
export const inEnglish: Say = (english, values = {}) => filled(english, values);

/** Says what a list of translations has in its language, and the rest in English. */
export function sayingWith(translations: Readonly<Record<string, string>>): Say {
  return (english, values = {}) => {
    const known = Object.hasOwn(translations, english) ? translations[english] : undefined;
    return filled(known ?? english, values);
  };
}

const SLOT = /\{(\w+)\}/g;

function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(SLOT, (slot, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : slot));
}

/** A template in the language of `say`: line by line, so that one template serves all languages. */
export function translateLines(template: string, say: Say): string {
  return template
    .split('\n')
    .map((line) => {
      const words = line.trim();
      return words === '' ? line : line.replace(words, () => say(words));
    })
    .join('\n');
}
