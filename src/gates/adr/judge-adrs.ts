import type { z } from 'zod';
import { checkAgainstConcept } from '../../adr/check-against-concept.ts';
import { type Finding, hasError } from '../../domain/finding.ts';
import type { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import { joinPath, normalisePath } from '../../text/safe-path.ts';
import type { GateAnswer, GateContext } from '../gate/gate-context.ts';
import { wantedFiles } from '../gate/wanted-files.ts';
import { adrRules } from './adr-rules.ts';
import { profileBeside, rulesSource } from './adr-surroundings.ts';
import { askAboutAdrs } from './ask-about-adrs.ts';
import { checkAdrs, readAdrs } from './check-adrs.ts';

const LIMIT = 10 * 1024 * 1024;

type Settings = z.infer<typeof GATE_SETTINGS.adr_complete>;

/** Checks the ADRs of a phase by layers 1 and 2 and, where `complete` is wanted, by layer 3 against a concept and by layer 4. */
export async function judgeAdrs(settings: Settings, context: GateContext, complete: boolean): Promise<GateAnswer> {
  const type = complete ? 'adr_complete' : 'adr_valid';
  const rules = await adrRules(rulesSource(context), settings.rules);
  if ('message' in rules) return { kind: 'interrupted', failure: 'setup', message: rules.message };
  const { found, absent } = wantedFiles(settings.file === undefined ? undefined : [settings.file], context);
  const files = settings.file === undefined ? found.filter(({ path }) => /\.(?:md|markdown)$/i.test(path)) : found;
  const findings: Finding[] = absent.map((absence) => ({ severity: 'error', check: type, ...absence }));
  if (files.length === 0 && findings.length === 0) {
    const hint = 'Write the ADR as Markdown, or name it in the gate: file: output/ADR-*.md';
    findings.push({ severity: 'error', check: type, message: 'there is no ADR to judge', hint });
  }
  const named = complete ? settings.concept : undefined;
  const concept = named === undefined ? undefined : await conceptOf(named, context);
  if (named !== undefined && concept === undefined) findings.push(missingConcept(named));
  const { adrs, unreadable } = await readAdrs(
    files.map(({ path }) => path),
    context.tree,
  );
  const checking = {
    rules,
    profile: (path: string) => profileBeside(path, context),
    ...(concept && { concept: checkAgainstConcept(concept.text, concept.path) }),
  };
  findings.push(...unreadable, ...(await checkAdrs(adrs, checking)));
  if (hasError(findings)) return { kind: 'judged', outcome: 'reject', findings };
  if (!complete) return { kind: 'judged', outcome: 'pass', findings };
  return askAboutAdrs({ adrs, findings, semantic: settings.semantic, concept: concept?.path }, context);
}

type Concept = { readonly path: string; readonly text: string };

/** The concept as it was before the phase began or as the phase was given it, else as the phase wrote it. */
async function conceptOf(path: string, context: GateContext): Promise<Concept | undefined> {
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
      if (bytes !== undefined) return { path: place, text: bytes.toString('utf8') };
    }
  }
  const text = await context.projectFile(normalisePath(path), LIMIT);
  return text === undefined ? undefined : { path, text };
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
