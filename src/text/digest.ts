import { createHash } from 'node:crypto';

/** The sha256 of a text (as UTF-8) or of bytes, in lower-case hex. */
export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
