import { posix } from 'node:path';
import { planFileOf } from '../../domain/growing/growing-phase.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { Move } from '../../domain/plan/script.ts';
import { growsPlan } from '../../domain/plan-growth.ts';
import { globMatcher } from '../../text/glob.ts';
import { normalisePath } from '../../text/safe-path.ts';
import { passingTests, type ReadHere } from './passing-tests.ts';
import { adrFiles, isAdr, simulatedAdr } from './simulated-adr.ts';
import { simulatedText } from './simulated-text.ts';

/** What the scripted agent does without a script: it writes what is declared and missing, ADRs in a valid form, makes tests pass, and approves. */
export function builtInMove(phase: Phase, read: ReadHere): Move {
  const { output, gates } = phase;
  const declared = [
    ...output.files,
    ...gates.flatMap((gate) => gateFiles(gate.settings)),
    ...adrFiles(gates),
    ...planFiles(phase),
  ];
  const reviews = gates.filter((gate) => gate.type === 'review_approved').map(({ settings }) => settings.file);
  const missing = declared.map(examplePath).filter((path) => (read(path) ?? '') === '');
  const textOf = (path: string) => (isAdr(path, phase) ? simulatedAdr(path, phase, read) : simulatedText(path, phase));
  const writes = Object.fromEntries(missing.map((path) => [path, textOf(path)]));
  if (declared.length === 0 && reviews.length < gates.length) {
    const path = posix.join(output.directory, 'result.md');
    writes[path] = `${read(path) ?? ''}${simulatedText(path, phase)}`;
  }
  Object.assign(writes, passingTests(phase, read));
  for (const file of reviews) {
    const path = posix.normalize(typeof file === 'string' ? file : posix.join(output.directory, 'review.json'));
    writes[path] = `${JSON.stringify({ approved: true, findings: [], suggestions: [], simulated: true }, null, 2)}\n`;
  }
  return { prints: `simulated: ${phase.id} writes ${Object.keys(writes).join(', ') || 'nothing new'}`, writes };
}

function planFiles(phase: Phase): string[] {
  return growsPlan(phase) ? [planFileOf(phase)] : [];
}

function gateFiles(settings: Readonly<Record<string, unknown>>): string[] {
  return Array.isArray(settings.files) ? settings.files.filter((file): file is string => typeof file === 'string') : [];
}

/** A path that a pattern like `src/*.py` matches. */
function examplePath(pattern: string): string {
  return firstAlternatives(normalisePath(pattern))
    .replaceAll('**/', '')
    .replaceAll(/\*+/g, 'example')
    .replaceAll('?', 'x')
    .replaceAll(/\[([!^]?)(.[^\]]*)\]/g, (set, negated, inside) => (negated ? outsider(set) : inside[0]));
}

function firstAlternatives(pattern: string): string {
  const chosen = pattern.replaceAll(/\{([^{},]*)[^{}]*\}/g, '$1');
  return chosen === pattern ? pattern : firstAlternatives(chosen);
}

/** A character that a negated set lets through. */
function outsider(set: string): string {
  const matches = globMatcher(set);
  return [...'abcdefghijklmnopqrstuvwxyz0123456789_'].find((character) => matches(character)) ?? '-';
}
