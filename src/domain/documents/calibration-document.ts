import { z } from 'zod';

const Count = z.int().nonnegative();
const Share = z.number().min(0).max(1);

/** How often something happened, and the 95 % interval of Clopper and Pearson around it; without trials there is no rate, and it could be anything. */
const MeasuredRate = z.strictObject({ rate: Share.optional(), low: Share, high: Share });
export type MeasuredRate = Readonly<z.infer<typeof MeasuredRate>>;

const measured = {
  model: z.string(),
  /** Versions with a planted defect that were judged. */
  planted: Count,
  missed: Count,
  falseNegative: MeasuredRate,
  /** Versions without one that were judged. */
  clean: Count,
  /** Clean versions in which an error or a warning was found. */
  alarms: Count,
  falsePositive: MeasuredRate,
};
const CalibrationEntry = z.strictObject(measured);
export type CalibrationEntry = Readonly<z.infer<typeof CalibrationEntry>>;

const CalibrationCheck = z.strictObject({ check: z.string(), ...measured });
export type CalibrationCheck = Readonly<z.infer<typeof CalibrationCheck>>;

/** What `helix calibrate --format json` prints. */
export const CalibrationDocument = z.strictObject({
  schema: z.literal('helix.calibration/1'),
  type: z.string(),
  /** The same seed asks the same questions in the same order. */
  seed: Count,
  /** Judges were simulated: the figures say nothing about any model. */
  simulated: z.boolean(),
  /** Questions that were asked, those without an answer among them. */
  trials: Count,
  /** Questions that were cut short, which is never an opinion. */
  interrupted: Count,
  /** How often a defect did not apply to a document. */
  skipped: Count,
  documents: z.array(z.string()),
  /** Why not all that was planned was asked. */
  stopped: z.string().optional(),
  cost: z.strictObject({ usd: z.number().nonnegative(), unknown: Count }),
  checks: z.array(CalibrationCheck),
  /** Over all checks: a defect its own check missed, a clean version in which any check found something. */
  overall: z.array(CalibrationEntry),
  targets: z.strictObject({ falsePositive: Share, falseNegative: Share }),
});
export type CalibrationDocument = Readonly<z.infer<typeof CalibrationDocument>>;
