const GERMAN: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };
const LONGEST = 60;

/** A title as part of a file name: letters and digits of any script, nothing else; "untitled" where there are none. */
export function slugOf(title: string, separator: '-' | '_' = '-'): string {
  const plain = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => GERMAN[letter] ?? letter)
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/['’]/g, '');
  const words = plain.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const slug = [...words.join(separator)];
  if (slug.length <= LONGEST) return slug.join('') || 'untitled';
  const cut = slug.slice(0, LONGEST + 1).join('');
  const end = cut.lastIndexOf(separator);
  return end > LONGEST / 3 ? cut.slice(0, end) : slug.slice(0, LONGEST).join('');
}
