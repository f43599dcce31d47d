import { z } from 'zod';
import { DRIVERS } from './driver.ts';
import { LimitSettings } from './limits.ts';
import { NotifySettings } from './notify-settings.ts';
import { Budget } from './plan.ts';

const Name = z.string().regex(/^[a-z0-9][a-z0-9_-]*$/, 'small letters, digits, - and _');

/** A server whose tools a creator may use: a program with the variables it may see, or an address. */
export const McpServer = z.union([
  z.strictObject({ name: Name, command: z.array(z.string().min(1)).min(1), env: z.array(z.string()).optional() }),
  z.strictObject({ name: Name, url: z.url({ protocol: /^https?$/ }) }),
]);
export type McpServer = z.infer<typeof McpServer>;

/** One agent of helix.yaml. */
export const AgentSettings = z.strictObject({
  driver: z.enum(DRIVERS),
  command: z.union([z.array(z.string().min(1)).min(1), z.string().min(1)]).optional(),
  model: z.string().optional(),
  env: z.array(z.string()).optional(),
  mcp: z.array(McpServer).optional(),
  script: z.string().optional(),
});
export type AgentSettings = z.infer<typeof AgentSettings>;

/** helix.yaml: the user's own settings for a project. */
export const HelixFile = z.strictObject({
  agents: z.record(z.string(), AgentSettings).optional(),
  roles: z
    .strictObject({
      creator: z.string().optional(),
      reviewer: z.string().optional(),
      verifier: z.string().optional(),
      consultant: z.string().optional(),
    })
    .optional(),
  sandbox: z.enum(['auto', 'strict', 'basic', 'none']).optional(),
  network: z.strictObject({ creator: z.array(z.string()).optional(), gate: z.boolean().optional() }).optional(),
  limits: LimitSettings.optional(),
  notify: z.array(NotifySettings).max(20).optional(),
  budget: Budget.optional(),
  language: z.string().optional(),
  allow_simulated: z.boolean().optional(),
  /** Above this `helix do` asks whether a change may be that large. */
  do: z.strictObject({ max_files: z.int().positive().optional(), max_lines: z.int().positive().optional() }).optional(),
  database: z.string().optional(),
});
export type HelixFile = z.infer<typeof HelixFile>;

/** What of helix.yaml says how agents and commands are walled in; a run keeps it as it was when it began. */
export const Isolation = HelixFile.pick({ sandbox: true, network: true, limits: true });
export type Isolation = z.infer<typeof Isolation>;

/** What one change of `helix do` may come to before a human is asked, where `do` says nothing. */
export const MOST_IN_ONE_CHANGE = { files: 12, lines: 400 } as const;
