/** Hex SHA-256 of a text (as UTF-8) or of bytes. */
export function sha256(content: string | Buffer): string {
  // An import of node:crypto touches all of its exports, which takes longer than checking a plan.
  return process.getBuiltinModule('node:crypto').hash('sha256', content);
}
