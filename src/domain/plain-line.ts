const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A text as it is or, where it could pass for another one on a screen, quoted: no two texts come out the same. */
export function plain(text: string): string {
  return text.startsWith('"') || text.search(UNSEEN) !== -1 ? json(text) : text;
}

/** A value on one line, with what would not show on a screen written out. */
export function json(value: unknown): string {
  return JSON.stringify(value).replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
