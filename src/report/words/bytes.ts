const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size for people: 12 bytes, 3.4 MB. */
export function renderBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}
