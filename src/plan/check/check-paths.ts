import { globProblem, isGlob } from '../../text/glob.ts';
import { unsafePath } from '../../text/safe-path.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { YamlPath } from '../../text/yaml/yaml.ts';
import type { PhaseDraft, PlanHeader } from '../build/parse-phases.ts';
import type { PlanCheck } from './plan-check.ts';

type Written = { readonly at: YamlPath; readonly path: string };

const GATE_PATHS = ['files', 'file', 'concept', 'rules', 'result_file'];

/** Checks that no path of the plan leaves its directory. */
export function checkPaths({ header, phases, mode, findings }: PlanCheck): void {
  const inProject = 'paths are relative to the project';
  reportUnsafe(headerPaths(header), inProject);
  for (const { draft } of phases) {
    if (findings.full) return;
    const base = mode === 'repo' ? inProject : `paths are relative to phases/${oneLine(draft.id, 64)}/`;
    reportUnsafe(phasePaths(draft), `${base}; for a file of another phase use from_phase`);
  }

  function reportUnsafe(written: readonly Written[], hint: string): void {
    for (const { at, path } of written) {
      const reason = unsafePath(path) ?? (isGlob(path) ? globProblem(path) : undefined);
      if (reason === undefined) continue;
      findings.error(at, { check: 'unsafe-path', message: `the path "${oneLine(path, 80)}" ${reason}`, hint });
    }
  }
}

function headerPaths(header: PlanHeader): Written[] {
  const workspace = typeof header.workspace === 'object' ? header.workspace : {};
  return [
    ...listed(workspace.copy, ['workspace', 'copy']),
    ...listed(workspace.cache, ['workspace', 'cache']),
    ...listed(workspace.keep_out, ['workspace', 'keep_out']),
    ...listed(header.protected, ['protected']),
    ...listed(header.dynamic_phase_template, ['dynamic_phase_template']),
  ];
}

function phasePaths({ path, entry, gates }: PhaseDraft): Written[] {
  const { input = [], output = [], config = {} } = entry;
  const inputs = Array.isArray(input) ? listed(input, ['input']) : listed(input.files, ['input', 'files']);
  const outputs = Array.isArray(output)
    ? listed(output, ['output'])
    : (['directory', 'expected_files', 'files'] as const).flatMap((key) => listed(output[key], ['output', key]));
  const own = [
    ...inputs,
    ...outputs,
    ...listed(entry.template, ['template']),
    ...listed(config.template, ['config', 'template']),
    ...listed(config.skills, ['config', 'skills']),
    ...listed(entry.phase_config?.phase_template, ['phase_config', 'phase_template']),
  ];
  return [
    ...own.map((written) => ({ ...written, at: [...path, ...written.at] })),
    ...gates.flatMap((gate) => GATE_PATHS.flatMap((key) => listed(gate.settings[key], [...gate.path, key]))),
  ];
}

function listed(value: unknown, at: YamlPath): Written[] {
  if (typeof value === 'string') return [{ at, path: value }];
  if (!Array.isArray(value)) return [];
  return value.flatMap((path, index) => (typeof path === 'string' ? [{ at: [...at, index], path }] : []));
}
