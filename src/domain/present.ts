type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that have a value, to be spread into an object whose optional fields are absent rather than undefined. */
export function present<T extends object>(fields: T): Present<T> {
  const found: Partial<T> = {};
  for (const key in fields) if (fields[key] !== undefined) found[key] = fields[key];
  return found as Present<T>;
}
