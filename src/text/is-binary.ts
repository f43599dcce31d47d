/** Beyond this part of control characters a content is no text with a few odd ones in it. */
const MOST_CONTROL = 0.05;
const NUL = 0;
const FIRST_PRINTED = 0x20;

/** Tells whether a content is for machines: it has NUL, and not just somewhere in a text, where it would hide the text from those who compare. */
export function isBinary(content: Buffer): boolean {
  if (!content.includes(NUL)) return false;
  let control = 0;
  for (const byte of content) if (byte < FIRST_PRINTED && (byte < 0x07 || byte > 0x0d)) control += 1;
  return control > content.length * MOST_CONTROL;
}
