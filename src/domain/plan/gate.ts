import { z } from 'zod';
import { LanguageName } from '../language.ts';

const Command = z.union([z.array(z.string().min(1)).min(1), z.string().min(1)]);
const Files = z.array(z.string().min(1));

const shared = {
  checks: z.array(z.string()).optional(),
  on_failure: z.enum(['retry', 'escalation', 'abort']).optional(),
  max_retries: z.int().min(1).max(100).optional(),
  /** The acceptance criteria that the gate shows to be met, by their ids. */
  criteria: z.array(z.string().min(1).max(200)).max(200).optional(),
};

/** The settings every gate takes beside its own. */
export const SharedGateSettings = z.strictObject(shared);

/** Every gate HELIX knows, with the settings it takes in phases.yaml. */
export const GATE_SETTINGS = {
  files_exist: z.strictObject({ type: z.literal('files_exist'), files: Files.optional(), ...shared }),
  syntax_check: z.strictObject({
    type: z.literal('syntax_check'),
    files: Files.optional(),
    language: LanguageName.optional(),
    ...shared,
  }),
  files_exist_and_syntax: z.strictObject({
    type: z.literal('files_exist_and_syntax'),
    files: Files.optional(),
    language: LanguageName.optional(),
    ...shared,
  }),
  tests_pass: z.strictObject({
    type: z.literal('tests_pass'),
    command: Command.optional(),
    timeout: z.number().positive().optional(),
    baseline: z.boolean().optional(),
    probe: z.boolean().optional(),
    /** `red`: a test that the phase adds has to fail, and nothing else: it shows a bug before it is mended. */
    expect: z.literal('red').optional(),
    network: z.boolean().optional(),
    ...shared,
  }),
  review_approved: z.strictObject({
    type: z.literal('review_approved'),
    file: z.string().min(1).optional(),
    ...shared,
  }),
  adr_complete: z.strictObject({
    type: z.enum(['adr_complete', 'adr_valid']),
    file: z.string().min(1).optional(),
    concept: z.string().min(1).optional(),
    semantic: z.union([z.literal('auto'), z.boolean(), z.literal('true'), z.literal('false')]).optional(),
    rules: z.string().min(1).optional(),
    ...shared,
  }),
  approval: z.strictObject({
    type: z.literal('approval'),
    approval_type: z.string().min(1),
    files: Files.optional(),
    diff: z.string().optional(),
    concept: z.string().min(1).optional(),
    required_result: z.enum(['approved', 'needs_revision']).optional(),
    model: z.string().optional(),
    timeout: z.number().positive().optional(),
    required_confidence: z.number().min(0).max(1).optional(),
    ...shared,
  }),
  approval_passed: z.strictObject({
    type: z.literal('approval_passed'),
    result_file: z.string().min(1).optional(),
    ...shared,
  }),
  spec_valid: z.strictObject({ type: z.literal('spec_valid'), file: z.string().min(1).optional(), ...shared }),
  custom: z.strictObject({
    type: z.literal('custom'),
    command: Command,
    timeout: z.number().positive().optional(),
    findings: z.enum(['exit', 'json', 'sarif']).optional(),
    network: z.boolean().optional(),
    ...shared,
  }),
} as const;

/** Other spellings the seeds use for a gate type. */
export const GATE_ALIASES: Readonly<Record<string, keyof typeof GATE_SETTINGS>> = { adr_valid: 'adr_complete' };

/** A gate of a checked plan: its type, what happens when it fails, and its own settings. */
export const Gate = z.strictObject({
  type: z.string(),
  settings: z.record(z.string(), z.unknown()),
  onFailure: z.enum(['retry', 'escalation', 'abort']),
  maxRetries: z.int().positive(),
  /** The acceptance criteria it shows to be met; they change nothing about what it looks at. */
  criteria: z.array(z.string()).optional(),
});
export type Gate = z.infer<typeof Gate>;
