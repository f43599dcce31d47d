import { posix } from 'node:path';
import type { z } from 'zod';
import type { AdrFinding } from '../adr/adr.ts';
import { type AdrCheckOptions, type ConceptCheck, checkAdr, type ProfileChoice } from '../adr/check-adr.ts';
import { checkAgainstConcept } from '../adr/check-against-concept.ts';
import { parseAdr } from '../adr/parse-adr.ts';
import type { RuleSet } from '../adr/rules/rule-set.ts';
import { shippedRules } from '../adr/rules/shipped-rules.ts';
import { detectProfile } from '../adr/structure/detect-profile.ts';
import type { ProfileName } from '../adr/structure/profiles.ts';
import type { Finding } from '../domain/finding.ts';
import type { GATE_SETTINGS } from '../domain/gate.ts';
import type { GateAnswer, GateContext } from '../ports.ts';
import { joinPath, normalisePath } from '../text/safe-path.ts';
import { readableText } from './readable-text.ts';
import { wantedFiles } from './wanted-files.ts';

const RULES = 'config/adr-completeness-rules.yaml';
const LIMIT = 10 * 1024 * 1024;

type Settings = z.infer<typeof GATE_SETTINGS.adr_complete>;

/** Checks the ADRs of a phase by layers 1 and 2 and, where there is a concept, layer 3. */
export async function judgeAdrs(
  settings: Settings,
  context: GateContext,
  { type, concept }: { readonly type: string; readonly concept?: string | undefined },
): Promise<GateAnswer> {
  if (type === 'adr_complete' && String(settings.semantic) === 'true') {
    return {
      kind: 'interrupted',
      failure: 'setup',
      message: 'semantic: true asks for an approval, which is not built yet',
    };
  }
  const rules = await rulesOf(settings.rules, context);
  if ('message' in rules) return { kind: 'interrupted', failure: 'setup', message: rules.message };
  const { found, absent } = wantedFiles(settings.file === undefined ? undefined : [settings.file], context);
  const files = settings.file === undefined ? found.filter(({ path }) => /\.(?:md|markdown)$/i.test(path)) : found;
  const findings: Finding[] = absent.map((absence) => ({ severity: 'error', check: type, ...absence }));
  if (files.length === 0 && findings.length === 0) {
    const hint = 'Write the ADR as Markdown, or name it in the gate: file: output/ADR-*.md';
    findings.push({ severity: 'error', check: type, message: 'there is no ADR to judge', hint });
  }
  const promised = concept === undefined ? undefined : await conceptOf(concept, context);
  if (promised === null) findings.push(missingConcept(concept ?? ''));
  const options = { rules, ...(promised && { concept: promised }) };
  for (const { path } of files) findings.push(...(await checkFile(path, options, context)));
  const bad = findings.some(({ severity }) => severity === 'error');
  return { kind: 'judged', outcome: bad ? 'reject' : 'pass', findings };
}

async function checkFile(path: string, options: AdrCheckOptions, context: GateContext): Promise<Finding[]> {
  const bytes = await context.tree.read(path, LIMIT + 1);
  const read = bytes === undefined || bytes.length > LIMIT ? undefined : readableText(bytes);
  if (read === undefined) {
    const message = bytes === undefined ? `${path} is missing` : `${path} is no text that can be read`;
    return [{ severity: 'error', check: 'unreadable-file', message, location: { file: path } }];
  }
  const profile = await profileBeside(path, context);
  return checkAdr(read.text, { ...options, path, profile }).findings.map(withoutLayer);
}

/**
 * The form of the ADRs that lay in the folder before the phase began, else HELIX's own. Were it read from the new ADR alone, leaving
 * out its header would be a way to be asked for less.
 */
async function profileBeside(path: string, { base }: GateContext): Promise<ProfileChoice> {
  const beside = base.files.filter(
    (file) => posix.dirname(file.path) === posix.dirname(path) && /\.md$/i.test(file.path),
  );
  const counts = new Map<ProfileName, number>();
  for (const file of beside.slice(0, 200)) {
    const text = file.path === path ? undefined : (await base.read(file.path, LIMIT))?.toString('utf8');
    const profile = text === undefined ? undefined : detectProfile(parseAdr(text, file.path));
    if (profile !== undefined) counts.set(profile, (counts.get(profile) ?? 0) + 1);
  }
  const [most = 'helix'] = [...counts].sort(([, a], [, b]) => b - a).map(([profile]) => profile);
  return most === 'unknown' ? 'helix' : most;
}

/** The project's rules as they were before the phase began, else those HELIX ships. */
async function rulesOf(named: string | undefined, context: GateContext): Promise<RuleSet | { message: string }> {
  const path = normalisePath(named ?? RULES);
  const before = await context.base.read(path, LIMIT);
  const text = before?.toString('utf8') ?? (await context.projectFile(path, LIMIT));
  if (text === undefined) {
    if (named !== undefined) return { message: `the rules ${path} do not exist` };
    return shippedRules(context.shippedConfig('adr-completeness-rules.yaml'), RULES);
  }
  const { loadRules } = await import('../adr/rules/load-rules.ts');
  const { rules, findings } = loadRules(text, path);
  const [first] = findings.filter(({ severity }) => severity === 'error');
  if (rules !== undefined && first === undefined) return rules;
  const { line = 1, column = 1 } = first?.location ?? {};
  return { message: `the rules ${path} have errors: ${path}:${line}:${column} ${first?.message ?? ''}` };
}

/** The concept as it was before the phase began or as the phase was given it, else as the phase wrote it; null when there is none. */
async function conceptOf(path: string, context: GateContext): Promise<ConceptCheck | null> {
  const { base, tree, phase } = context;
  const places = [...new Set([normalisePath(path), joinPath(phase.output.directory, path)])];
  const readers = [
    (place: string) => base.read(place, LIMIT),
    (place: string) => context.input(place, LIMIT),
    (place: string) => tree.read(place, LIMIT),
  ];
  for (const read of readers) {
    for (const place of places) {
      const bytes = await read(place);
      if (bytes !== undefined) return checkAgainstConcept(bytes.toString('utf8'), place);
    }
  }
  const text = await context.projectFile(normalisePath(path), LIMIT);
  return text === undefined ? null : checkAgainstConcept(text, path);
}

function missingConcept(path: string): Finding {
  return {
    severity: 'error',
    check: 'concept-missing',
    message: `the concept ${path} does not exist`,
    hint: 'Write it, or correct the path in the gate.',
    location: { file: path },
  };
}

function withoutLayer({ layer: _, ...finding }: AdrFinding): Finding {
  return finding;
}
