/** A JSON value without secrets: each text in it and each name of a member; the same object when there are none. */
export function redactValue<T>(value: T, redact: (text: string) => string): T {
  // One search through all of it: nearly always there is nothing to do.
  const text = JSON.stringify(value);
  return redact(text) === text ? value : (cleaned(JSON.parse(text), redact) as T);
}

function cleaned(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((each) => cleaned(each, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [redact(name), cleaned(each, redact)]));
}
