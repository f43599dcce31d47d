import { z } from 'zod';
import { DRIVERS } from './driver.ts';
import { Budget } from './plan.ts';

/** One agent of helix.yaml. */
export const AgentSettings = z.strictObject({
  driver: z.enum(DRIVERS),
  command: z.union([z.array(z.string().min(1)).min(1), z.string().min(1)]).optional(),
  model: z.string().optional(),
  env: z.array(z.string()).optional(),
  mcp: z.array(z.unknown()).optional(),
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
  network: z
    .strictObject({ creator: z.array(z.string()).optional(), gate: z.union([z.boolean(), z.string()]).optional() })
    .optional(),
  notify: z.array(z.record(z.string(), z.unknown())).optional(),
  budget: Budget.optional(),
  language: z.string().optional(),
  allow_simulated: z.boolean().optional(),
  database: z.string().optional(),
});
export type HelixFile = z.infer<typeof HelixFile>;
