import type { Defect } from '../../approval/calibration/defect.ts';
import { joinDefects, parseDefects } from '../../approval/calibration/parse-defects.ts';
import type { Question } from '../../approval/question.ts';
import { hasError } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { World } from '../../ports/world.ts';
import { renderFindings } from '../../report/words/findings-text.ts';
import { framesIn } from '../../text/code-frame.ts';
import { YAML_LIMITS } from '../../text/yaml/yaml-guard.ts';
import type { Terminal } from '../call/terminal.ts';

/** The defects that can be planted for the checks of a question: the project's own before those that HELIX ships. */
export async function loadDefects(
  { type, definition, checks }: Pick<Question, 'type' | 'definition' | 'checks'>,
  world: World,
  terminal: Terminal,
): Promise<readonly Defect[]> {
  const path = `approvals/${type}/defects.yaml`;
  const text = await world.project.read(path, YAML_LIMITS.bytes);
  const known = definition.checks.map(({ id }) => id);
  const own = text === undefined ? { defects: [], findings: [] } : parseDefects(text, path, known);
  if (hasError(own.findings)) {
    const frame = framesIn(new Map([[path, text ?? '']]));
    terminal.err(`${renderFindings(own.findings, { paint: terminal.paint, frame })}\n`);
    throw new HelixError('config', `${path} has errors; no judge was asked`);
  }
  const shipped = parseDefects(world.shippedApproval(type)?.get('defects.yaml') ?? 'defects: []', path);
  const defects = joinDefects(
    own.defects,
    shipped.defects,
    checks.map(({ id }) => id),
  );
  if (defects.length > 0) return defects;
  throw new HelixError('usage', `there are no defects to plant for approvals of type ${type}`, {
    hint: `Write some in ${path}: defects: [{ id, check, about, find, replace }], as helix schema defects says.`,
  });
}
