import { z } from 'zod';
import { PhaseEntry, PhasesFile } from '../../domain/plan/phases-file.ts';
import { isRecord } from '../../text/is-record.ts';
import type { FileFindings } from '../../text/yaml/file-findings.ts';
import { readMap } from '../../text/yaml/schema-findings.ts';
import type { YamlPath } from '../../text/yaml/yaml.ts';
import { type GateDraft, type GateType, parseGate } from './parse-gate.ts';

/** A phase as far as it could be read: what is wrong in it is left out of `entry`. */
export type PhaseDraft = {
  readonly path: YamlPath;
  readonly id: string;
  /** The type as written, known or not. */
  readonly type: string;
  readonly entry: Partial<PhaseEntry>;
  readonly gates: readonly GateDraft[];
};

/** A whole phases.yaml as far as it could be read. */
export type PlanDraft = { readonly header: PlanHeader; readonly phases: readonly PhaseDraft[] };
export type PlanHeader = Partial<Omit<PhasesFile, 'phases'>>;

type Context = { readonly findings: FileFindings; readonly gates: readonly GateType[] };

const Header = PhasesFile.extend({ phases: z.unknown().optional() });

/** Reads the value of a phases.yaml, reporting every key and value that is wrong. */
export function parsePhases(value: unknown, context: Context): PlanDraft {
  const { findings } = context;
  if (!isRecord(value)) {
    const message = value === null ? 'the file is empty' : 'a plan must be a map with the key "phases"';
    findings.error([], { check: 'no-plan', message, hint: 'list the phases under "phases:"' });
    return { header: {}, phases: [] };
  }
  const { phases: _, ...header } = readMap(Header, { value, path: [], findings });
  return { header, phases: listedPhases(value, context) };
}

function listedPhases({ phases }: Record<string, unknown>, context: Context): PhaseDraft[] {
  if (Array.isArray(phases) && phases.length > 0) {
    return phases.flatMap((raw, index) => parsePhase(raw, ['phases', index], context));
  }
  const hint = 'list the phases below it, each starting with "- id:"';
  if (phases === undefined) context.findings.error([], { check: 'missing-key', message: '"phases" is missing', hint });
  else
    context.findings.error(['phases'], {
      check: 'invalid-value',
      message: '"phases" must be a list with at least one phase',
      hint,
    });
  return [];
}

function parsePhase(raw: unknown, path: YamlPath, { findings, gates: own }: Context): PhaseDraft[] {
  if (!isRecord(raw)) {
    findings.error(path, { check: 'invalid-value', message: 'a phase must be a map', hint: 'start it with "- id:"' });
    return [];
  }
  const entry = readMap(PhaseEntry, { value: raw, path, findings });
  const written = entry.quality_gate;
  const gates = Array.isArray(written)
    ? written.map((gate, index) => parseGate(gate, { path: [...path, 'quality_gate', index], findings, own }))
    : written === undefined
      ? []
      : [parseGate(written, { path: [...path, 'quality_gate'], findings, own })];
  const id = typeof raw.id === 'string' ? raw.id : `(phase ${Number(path.at(-1)) + 1})`;
  return [{ path, id, type: typeof raw.type === 'string' ? raw.type : '', entry, gates }];
}
