import { z } from 'zod';

/** What an expert is known by in plans: as it may stand in a file name and a script. */
export const EXPERT_ID = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/;

const Words = z.array(z.string().min(1).max(200)).max(200);

/** An expert as config/domain-experts.yaml describes it. */
const ExpertEntry = z.strictObject({
  name: z.string().min(1).max(200).optional(),
  description: z.string().max(4000).optional(),
  skills: Words.optional(),
  triggers: Words.optional(),
});

/** config/domain-experts.yaml: whom a meeting can hear. */
export const DomainExpertsFile = z.strictObject({
  experts: z.record(z.string().regex(EXPERT_ID), ExpertEntry).optional(),
});
export type DomainExpertsFile = z.infer<typeof DomainExpertsFile>;

/** Somebody whose view on a request can be asked for. */
export const Expert = z.strictObject({
  id: z.string().regex(EXPERT_ID),
  name: z.string(),
  description: z.string(),
  /** The skills they work by. */
  skills: z.array(z.string()).readonly(),
  /** The words that call for them. */
  triggers: z.array(z.string()).readonly(),
});
export type Expert = z.infer<typeof Expert>;

/** The experts of a file, in its order. */
export function expertsIn({ experts = {} }: DomainExpertsFile): Expert[] {
  return Object.entries(experts).map(([id, { name = id, description = '', skills = [], triggers = [] }]) => ({
    ...{ id, name, description },
    ...{ skills, triggers },
  }));
}
