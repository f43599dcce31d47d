/** A number with its noun: 1 attempt, 2 attempts. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
