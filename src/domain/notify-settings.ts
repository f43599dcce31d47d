import { z } from 'zod';

const Name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'small letters, digits, - and _');

/** One way in which helix.yaml wants people told of questions. */
export const NotifySettings = z.union([
  z.strictObject({
    name: Name.optional(),
    webhook: z.url({ protocol: /^https?$/ }),
    /** The environment variable with the key that messages are signed with. */
    secret_env: z.string().optional(),
  }),
  /** A program that gets the request as JSON on its standard input. */
  z.strictObject({ name: Name.optional(), command: z.array(z.string().min(1)).min(1) }),
  z.strictObject({ name: Name.optional(), bell: z.literal(true) }),
  /** A comment through the user's `gh`; the answer of one of `users` is the decision. */
  z.strictObject({
    name: Name.optional(),
    github: z.strictObject({
      repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
      issue: z.int().positive(),
      users: z.array(z.string().regex(/^[a-zA-Z0-9-]{1,39}$/)).min(1),
    }),
  }),
]);
export type NotifySettings = z.infer<typeof NotifySettings>;

/** What a channel is called in the journal. */
export function channelName(settings: NotifySettings, index: number): string {
  const kind =
    'webhook' in settings ? 'webhook' : 'command' in settings ? 'command' : 'bell' in settings ? 'bell' : 'github';
  return settings.name ?? `${kind}-${index + 1}`;
}
