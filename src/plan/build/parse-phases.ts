import { z } from 'zod';
import type { OwnType, PhaseTypeEntry } from '../../domain/kinds/phase-types-file.ts';
import { PhaseEntry, PhasesFile } from '../../domain/plan/phases-file.ts';
import { PHASE_TYPES } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { isRecord } from '../../text/is-record.ts';
import { oneLine } from '../../text/sanitise.ts';
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
  /** Its type, where the project has added it. */
  readonly ownType?: OwnType;
};

/** A whole phases.yaml as far as it could be read. */
export type PlanDraft = { readonly header: PlanHeader; readonly phases: readonly PhaseDraft[] };
export type PlanHeader = Partial<Omit<PhasesFile, 'phases'>>;

/** What the project says of types of phases, by their names. */
type Types = ReadonlyMap<string, PhaseTypeEntry>;

type Context = { readonly findings: FileFindings; readonly gates: readonly GateType[]; readonly types?: Types };

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

function parsePhase(
  written: unknown,
  path: YamlPath,
  { findings, gates: own, types = NO_TYPES }: Context,
): PhaseDraft[] {
  if (!isRecord(written)) {
    findings.error(path, { check: 'invalid-value', message: 'a phase must be a map', hint: 'start it with "- id:"' });
    return [];
  }
  const name = typeof written.type === 'string' ? written.type : '';
  const type = types.get(name) ?? misspelt(name, { path, findings, types });
  const raw = type === undefined ? written : withType(written, type);
  const entry = readMap(PhaseEntry, { value: raw, path, findings });
  const judged = entry.quality_gate ?? type?.default_gates?.map((gate) => ({ type: gate }));
  const gates = Array.isArray(judged)
    ? judged.map((gate, index) => parseGate(gate, { path: [...path, 'quality_gate', index], findings, own }))
    : judged === undefined
      ? []
      : [parseGate(judged, { path: [...path, 'quality_gate'], findings, own })];
  const id = typeof raw.id === 'string' ? raw.id : `(phase ${Number(path.at(-1)) + 1})`;
  const ownType =
    type === undefined || isBuiltIn(name) ? undefined : { name, ...present({ description: type.description }) };
  return [{ path, id, type: name, entry, gates, ...present({ ownType }) }];
}

/** A type that was meant to be one of the project's own: told here, because only HELIX's own are known to the schema. */
function misspelt(name: string, { path, findings, types }: Required<Omit<Context, 'gates'>> & { path: YamlPath }) {
  const meant = isBuiltIn(name) ? undefined : didYouMean(name, types.keys());
  if (meant === undefined || didYouMean(name, PHASE_TYPES) !== undefined) return undefined;
  const message = `unknown phase type "${oneLine(name, 60)}"`;
  findings.error([...path, 'type'], { check: 'unknown-value', message, hint: `did you mean "${meant}"?` });
  return types.get(meant);
}

const NO_TYPES: Types = new Map();

function isBuiltIn(type: string): boolean {
  return (PHASE_TYPES as readonly string[]).includes(type);
}

/** A phase with what its type says, where the phase itself says nothing; a type of the project's own is work like development. */
function withType(raw: Record<string, unknown>, type: PhaseTypeEntry): Record<string, unknown> {
  const { output_pattern: output, timeout, tools_required: tools } = type;
  const config = isRecord(raw.config) ? raw.config : {};
  return {
    ...(output !== undefined && { output: [output] }),
    ...present({ timeout }),
    ...raw,
    ...(tools !== undefined && (raw.config === undefined || isRecord(raw.config)) && { config: { tools, ...config } }),
    ...(!isBuiltIn(String(raw.type)) && { type: 'development' }),
  };
}
