import { z } from 'zod';

/** One line of `go test -json`, as far as it matters. */
const GoEvent = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
});
export type GoEvent = z.infer<typeof GoEvent>;

/** Reads a line of -json; undefined when it is something else. */
export function parseGoEvent(line: string): GoEvent | undefined {
  if (!line.includes('"Action":')) return undefined;
  try {
    return GoEvent.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
