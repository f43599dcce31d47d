/** The target of a link with its title, an address in angle brackets, and one that stands bare; none of them is in `code`. */
const TARGET =
  /`[^`]*`|(?<=\])\([^()\n]{0,2000}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?\)|<?https?:\/\/[^\s<>)\]|]{1,2000}>?/gi;

/** A text without the addresses in it: a word that only an address has is not said. What stays keeps its place. */
export function withoutTargets(text: string): string {
  if (!text.includes('](') && !text.includes('://')) return text;
  return text.replace(TARGET, (found) => (found.startsWith('`') ? found : ' '.repeat(found.length)));
}
