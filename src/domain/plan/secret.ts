/** Something nobody may read in what HELIX writes, and what it is called in its place. */
export type Secret = { readonly name: string; readonly value: string };

/** Where a text was cut off, so that only a part of a secret may be left there. */
export type Cut = { readonly start?: boolean; readonly end?: boolean };

/** Keeps secrets out of what is written. Never throws. */
export type Redactor = {
  /** The text with a mark in place of every secret, known or of a well-known shape; JSON stays JSON. */
  redact(text: string, cut?: Cut): string;
  /** The bytes with a mark in place of known secrets only, every other byte as it is. */
  redactBytes(bytes: Buffer): Buffer;
  /** The known secrets in the bytes, in any of their forms, and where each is first. */
  find(bytes: Buffer): readonly { readonly name: string; readonly at: number }[];
  /** Tells whether any secret is known at all. */
  knowsAny(): boolean;
};
