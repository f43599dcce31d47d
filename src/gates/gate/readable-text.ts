const LOOKED_AT = 8192;

/** A text, and whether it was written in UTF-8; else its encoding is a guess. */
export type ReadableText = { readonly text: string; readonly utf8: boolean };

/** Reads bytes as UTF-8, as UTF-16 with its mark, or else as Latin-1, which takes any byte; undefined when they are no text. */
export function readableText(bytes: Buffer): ReadableText | undefined {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return { text: new TextDecoder(wide).decode(bytes), utf8: false };
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return undefined;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), utf8: true };
  } catch {
    return { text: bytes.toString('latin1'), utf8: false };
  }
}

function wideEncoding(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}
