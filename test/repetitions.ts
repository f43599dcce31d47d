/** Whether this is `npm run test:deep`, which has hours. */
export const DEEP = process.env.HELIX_DEEP === '1';

/** How often something is repeated: a sample in `npm test`, all of it in `npm run test:deep`. */
export function repetitions(sample: number, all: number): number {
  return DEEP ? all : sample;
}
