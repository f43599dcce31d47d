/** German for the comments, names and descriptions of the project types HELIX ships, by their English words. */
export const GERMAN: ReadonlyMap<string, string> = new Map([['Requirements analysis', 'Anforderungsanalyse']]);
