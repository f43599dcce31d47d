const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;
/** What joins or styles pictures, and letters of scripts that are written joined, belongs to how they are spelt. */
const JOINED =
  /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)[\u200d\ufe0e\ufe0f]|(?<=[\d#*])\ufe0f(?=\u20e3)|(?<=(?![\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Common}])[\p{L}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])/gu;
const ASCII = /^[ -~]*$/;

/** The characters of a name that nobody sees, by their numbers. */
export function unseenIn(name: string): string[] {
  if (ASCII.test(name)) return [];
  const found = name.replace(JOINED, '').match(INVISIBLE) ?? [];
  return found.map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
}

/** A path without the spaces and dots at the ends of its names, which a list of names does not show and some systems leave out. */
export function withoutEnds(path: string): string {
  return path.replace(/(?<=[^/. ])[. ]+(?=\/|$)/gu, '');
}

/** What is left of a name when case, invisible characters, ways to compose letters, and spaces and dots at its end make no difference. */
export function plainName(name: string): string {
  if (ASCII.test(name)) return withoutEnds(name).toLowerCase();
  return withoutEnds(name.replace(INVISIBLE, '').normalize('NFKC')).toLowerCase().normalize('NFKC');
}
