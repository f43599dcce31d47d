import { z } from 'zod';
import { GATE_ALIASES, GATE_SETTINGS, type Gate, SharedGateSettings } from '../../domain/plan/gate.ts';
import type { GateEntry } from '../../domain/plan/phases-file.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { isRecord } from '../../text/is-record.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { FileFindings } from '../../text/yaml/file-findings.ts';
import { parseOnce, readMap, reportIssues } from '../../text/yaml/schema-findings.ts';
import type { YamlPath } from '../../text/yaml/yaml.ts';

/** A gate the plan may name, with what it may be told there. */
export type GateType = { readonly type: string; readonly settings: z.ZodType };

/** A gate as far as it could be read. */
export type GateDraft = {
  readonly path: YamlPath;
  readonly type: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly onFailure?: Gate['onFailure'] | undefined;
  readonly maxRetries?: number | undefined;
  readonly criteria?: readonly string[] | undefined;
};

type Place = { readonly path: YamlPath; readonly findings: FileFindings; readonly own: readonly GateType[] };

const COMMON = ['type', ...Object.keys(SharedGateSettings.shape)];

/** Reads one gate against the settings of its type. */
export function parseGate(entry: GateEntry, place: Place): GateDraft {
  const { path, findings, own } = place;
  const type = entry.type ?? 'files_exist';
  const built: z.ZodObject | undefined = schemaOf(type);
  const added = own.find((gate) => gate.type === type);
  if (built === undefined && added === undefined) {
    const known = [...Object.keys(GATE_SETTINGS), ...Object.keys(GATE_ALIASES), ...own.map((gate) => gate.type)];
    const message = `unknown gate type "${oneLine(type, 60)}"`;
    findings.error([...path, 'type'], { check: 'unknown-gate-type', message, hint: suggestion(type, known) });
    return { path, type, settings: {} };
  }
  const read = built ? readMap(built, { value: { ...entry, type }, path, findings }) : readOwn(entry, added, place);
  const {
    type: _,
    on_failure,
    max_retries,
    criteria,
    ...settings
  } = read as z.infer<typeof SharedGateSettings> & GateEntry;
  if (Array.isArray(settings.files) && settings.files.length === 0) {
    findings.error([...path, 'files'], {
      check: 'empty-files',
      message: 'a gate over an empty list of files would let anything pass',
      hint: 'name the files, or remove "files" to check what the phase declares',
    });
  }
  return { path, type, settings, onFailure: on_failure, maxRetries: max_retries, criteria };
}

function schemaOf(type: string): z.ZodObject | undefined {
  const name = GATE_ALIASES[type] ?? type;
  return Object.entries(GATE_SETTINGS).find(([known]) => known === name)?.[1];
}

/** A library user's gate checks its own settings; those all gates share are checked here. */
function readOwn(entry: GateEntry, gate: GateType | undefined, { path, findings }: Place): Record<string, unknown> {
  const schema = gate?.settings ?? z.unknown();
  const wanted = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const pick = (keep: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(entry).filter(([key]) => keep(key)));
  const shared = readMap(SharedGateSettings, {
    value: pick((key) => key !== 'type' && COMMON.includes(key)),
    path,
    findings,
  });
  const value = pick((key) => !COMMON.includes(key) || wanted.includes(key));
  const parsed = parseOnce(schema, value);
  if (!parsed.success) reportIssues(parsed.error.issues, schema, { value, path, findings });
  return { ...shared, ...(isRecord(parsed.data) ? parsed.data : {}) };
}
