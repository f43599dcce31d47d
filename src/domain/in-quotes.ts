/** A name or command of others in a sentence of HELIX: in quotes that nothing inside can end, line ends written out. */
export function inQuotes(text: string): string {
  return JSON.stringify(text);
}
