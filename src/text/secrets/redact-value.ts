/** A JSON value without secrets in its texts and the names of its members, and as text; the same object when it has none. */
export function redactValue<T>(
  value: T,
  redact: (text: string) => string,
): { readonly value: T; readonly json: string } {
  // One search through all of it: nearly always there is nothing to do.
  const json = JSON.stringify(value);
  if (redact(json) === json) return { value, json };
  const clean = cleaned(JSON.parse(json), redact) as T;
  return { value: clean, json: JSON.stringify(clean) };
}

function cleaned(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((each) => cleaned(each, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [redact(name), cleaned(each, redact)]));
}
