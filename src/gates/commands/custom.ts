import { z } from 'zod';
import type { Finding } from '../../domain/finding.ts';
import { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import { present } from '../../domain/present.ts';
import { withoutDirectory } from '../../text/without-directory.ts';
import { defineGate } from '../gate/define-gate.ts';
import { endingOf } from './ending.ts';
import { runCommand } from './run-command.ts';

const Remark = z.looseObject({
  severity: z.enum(['error', 'warning', 'info']),
  message: z.string(),
  check: z.string().optional(),
  hint: z.string().optional(),
  file: z.string().optional(),
  line: z.int().positive().optional(),
  column: z.int().positive().optional(),
  location: z
    .looseObject({
      file: z.string().optional(),
      line: z.int().positive().optional(),
      column: z.int().positive().optional(),
    })
    .optional(),
});
const Report = z.union([z.array(Remark), z.looseObject({ findings: z.array(Remark) })]);

const Level = z.enum(['none', 'note', 'warning', 'error']).optional();
const Rule = z.looseObject({ id: z.string(), defaultConfiguration: z.looseObject({ level: Level }).optional() });

const Sarif = z.looseObject({
  runs: z.array(
    z.looseObject({
      tool: z.looseObject({ driver: z.looseObject({ rules: z.array(Rule).optional() }).optional() }).optional(),
      invocations: z.array(z.looseObject({ executionSuccessful: z.boolean().optional() })).optional(),
      results: z
        .array(
          z.looseObject({
            ruleId: z.string().optional(),
            ruleIndex: z.int().optional(),
            rule: z.looseObject({ id: z.string().optional(), index: z.int().optional() }).optional(),
            level: Level,
            message: z.looseObject({ text: z.string().optional() }),
            locations: z
              .array(
                z.looseObject({
                  physicalLocation: z
                    .looseObject({
                      artifactLocation: z.looseObject({ uri: z.string().optional() }).optional(),
                      region: z
                        .looseObject({
                          startLine: z.int().positive().optional(),
                          startColumn: z.int().positive().optional(),
                        })
                        .optional(),
                    })
                    .optional(),
                }),
              )
              .optional(),
          }),
        )
        .optional(),
    }),
  ),
});

/** Passes when the user's own command says so: by its exit code, or by the findings it prints. */
export const custom = defineGate({
  type: 'custom',
  settings: GATE_SETTINGS.custom,
  command: ({ command }) => command,
  judge: async ({ command, timeout = 300, findings: form = 'exit', network, checks }, context) => {
    const how = { wallMs: timeout * 1000, network, keepStdout: form !== 'exit' };
    const end = await runCommand(context, { command, ...how });
    if (end.kind === 'interrupted') return end;
    const check = checks?.join(', ') ?? 'custom';
    const findings = form === 'exit' ? [] : parseReport(form, end.stdout, check);
    const bad = findings.some(({ severity }) => severity === 'error');
    const explained = end.exitCode === 0 || (end.exitCode === 1 && findings.length > 0);
    if (!bad && !explained) {
      const { words, output } = endingOf(withoutDirectory(end.tail, await context.directory()));
      findings.push({
        severity: 'error',
        check,
        message: `the command ended with exit code ${end.exitCode}${words === '' ? '' : `:\n${words}`}`,
        ...present({ output }),
      });
    }
    return { kind: 'judged', outcome: bad || !explained ? 'reject' : 'pass', findings };
  },
});

function parseReport(form: 'json' | 'sarif', text: string, check: string): Finding[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return [{ severity: 'error', check, message: `the command did not print ${form}: ${(cause as Error).message}` }];
  }
  const parsed = form === 'json' ? fromJson(value, check) : fromSarif(value, check);
  return (
    parsed ?? [{ severity: 'error', check, message: `the command's output does not have the form of ${form} findings` }]
  );
}

function fromJson(value: unknown, check: string): Finding[] | undefined {
  const report = Report.safeParse(value);
  if (!report.success) return undefined;
  const remarks = Array.isArray(report.data) ? report.data : report.data.findings;
  return remarks.map(({ severity, message, hint, check: own, file, line, column, location }) => ({
    severity,
    check: own ?? check,
    message,
    ...present({ hint }),
    ...place({ file: location?.file ?? file, line: location?.line ?? line, column: location?.column ?? column }),
  }));
}

function fromSarif(value: unknown, check: string): Finding[] | undefined {
  const sarif = Sarif.safeParse(value);
  if (!sarif.success) return undefined;
  const { runs } = sarif.data;
  if (runs.length === 0) return [{ severity: 'error', check, message: 'the report says nothing of any run' }];
  return [...runs.flatMap((run) => failedRun(run, check)), ...runs.flatMap((run) => resultsOf(run, check))];
}

type SarifRun = z.infer<typeof Sarif>['runs'][number];

/** A tool that could not do its work has found nothing, which says nothing. */
function failedRun({ invocations = [] }: SarifRun, check: string): Finding[] {
  if (invocations.every(({ executionSuccessful }) => executionSuccessful !== false)) return [];
  return [{ severity: 'error', check, message: 'the report says that the tool did not succeed' }];
}

function resultsOf({ results = [], tool }: SarifRun, check: string): Finding[] {
  const rules = tool?.driver?.rules ?? [];
  return results.map((result) => {
    const at = result.locations?.[0]?.physicalLocation;
    const name = result.ruleId ?? result.rule?.id;
    const index = result.ruleIndex ?? result.rule?.index ?? -1;
    const rule = rules.find(({ id }) => id === name) ?? rules[index];
    const level = result.level ?? rule?.defaultConfiguration?.level ?? 'warning';
    return {
      severity: level === 'error' || level === 'warning' ? level : 'info',
      check: name ?? rule?.id ?? check,
      message: result.message.text ?? 'no message',
      ...place({ file: at?.artifactLocation?.uri, line: at?.region?.startLine, column: at?.region?.startColumn }),
    } satisfies Finding;
  });
}

function place({
  file,
  line,
  column,
}: {
  file: string | undefined;
  line: number | undefined;
  column: number | undefined;
}) {
  if (file === undefined && line === undefined) return {};
  return {
    location: {
      ...present({ file, line, column }),
    },
  };
}
