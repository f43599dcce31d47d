import { z } from 'zod';

const UNITS = { MB: 1024 ** 2, GB: 1024 ** 3 } as const;
const SIZE = /^(\d{1,6}(?:\.\d{1,3})?) ?(MB|GB)$/;

const Size = z.string().regex(SIZE, 'a size such as 512 MB or 8 GB');

/** `limits` of helix.yaml: what one agent or gate command may use in the strict sandbox. */
export const LimitSettings = z.strictObject({
  memory: Size.optional(),
  processes: z.int().min(16).max(4_000_000).optional(),
  file_size: Size.optional(),
});
export type LimitSettings = z.infer<typeof LimitSettings>;

const Limit = z.union([z.int().positive(), z.literal('unlimited')]);

/** What one program is limited to, in bytes and in processes with their threads; what the machine cannot limit says so. */
export const Limits = z.strictObject({ memory: Limit, processes: Limit, file_size: Limit });
export type Limits = z.infer<typeof Limits>;

/** The bytes of a size such as `8 GB`. */
export function bytesOf(size: string): number {
  const [, number = '', unit = 'MB'] = SIZE.exec(size) ?? [];
  return Math.round(Number(number) * UNITS[unit as keyof typeof UNITS]);
}

/** A limit in bytes as its users would write it. */
export function renderLimit(bytes: number): string {
  const unit = bytes < UNITS.GB ? 'MB' : 'GB';
  return `${Number((bytes / UNITS[unit]).toFixed(1))} ${unit}`;
}
