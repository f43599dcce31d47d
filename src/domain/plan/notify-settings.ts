import { z } from 'zod';

const Name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'small letters, digits, - and _');

const VARIABLE = /^[A-Za-z_]\w*$/;

/** One way in which helix.yaml wants people told of questions. */
export const NotifySettings = z.union([
  z.strictObject({
    name: Name.optional(),
    /** An address or, because whoever knows one may write there, `$NAME`: the environment variable that holds it. */
    webhook: z.union([z.url({ protocol: /^https?$/ }), z.string().regex(/^\$[A-Za-z_]\w*$/)]),
    /** The environment variable with the key that messages are signed with. */
    secret_env: z.string().regex(VARIABLE, 'the name of an environment variable').optional(),
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

/** A way to tell people, with its name in the journal. */
export type NamedChannel = { readonly name: string; readonly settings: NotifySettings };

/** The ways to tell people by name: their own, or their kind and place in the list. */
export function channelsOf(notify: readonly NotifySettings[]): NamedChannel[] {
  return notify.map((settings, index) => ({ name: settings.name ?? `${kindOf(settings)}-${index + 1}`, settings }));
}

function kindOf(settings: NotifySettings): 'webhook' | 'command' | 'bell' | 'github' {
  if ('webhook' in settings) return 'webhook';
  if ('command' in settings) return 'command';
  return 'bell' in settings ? 'bell' : 'github';
}
