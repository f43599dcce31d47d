import { HelixError } from '../domain/helix-error.ts';
import { suggestion } from '../text/did-you-mean.ts';
import { sha256 } from '../text/digest.ts';
import { oneLine } from '../text/sanitise.ts';
import type { Check, Definition } from './question.ts';
import { splitCheck } from './split-check.ts';

/** The texts of a definition, by their path below `approvals/<type>/`. */
export type DefinitionFiles = ReadonlyMap<string, string>;

/** What a definition may be at most. */
export const DEFINITION_LIMITS = { fileBytes: 64 * 1024, bytes: 512 * 1024, checks: 50 } as const;

const MAIN = 'CLAUDE.md';
const CHECK = /^checks\/([^/]+)\.md$/;
const CHECK_ID = /^[a-z0-9][a-z0-9-]{0,63}$/;
const NEVER = /(?:^|\. )not applicable ?: never(?:\.|$)/;
const ALIASES: ReadonlyMap<string, string> = new Map([['migration-plan', 'migration']]);

/** Tells whether a file of the folder is part of the definition: what stands in `input/` or beside it is not. */
export function isDefinitionFile(path: string): boolean {
  return path === MAIN || CHECK.test(path) || path.startsWith('skills/');
}

/** Tells whether a path of the folder is part of the definition, or a folder of it. */
export function isDefinitionPlace(path: string): boolean {
  return isDefinitionFile(path) || path === 'checks' || path === 'skills';
}

/** Reads what judges of a type are told; throws HelixError `config` for what nobody could judge by. */
export function parseDefinition(type: string, files: DefinitionFiles): Definition {
  const own = [...files].filter(([path]) => isDefinitionFile(path)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  checkSizes(type, own);
  const text = files.get(MAIN) ?? '';
  if (text.trim() === '') {
    const message = `approvals/${type}/${MAIN} is ${files.has(MAIN) ? 'empty' : 'missing'}`;
    throw new HelixError('config', message, {
      hint: 'Write in it what the judge is to do, and in checks/*.md what to check.',
    });
  }
  const digests = own.map(([path, content]) => ({ path, sha256: sha256(content) }));
  return {
    type,
    text,
    checks: checksOf(type, own),
    skills: own.flatMap(([path, content]) => (path.startsWith('skills/') ? [{ path, text: content }] : [])),
    files: digests,
    sha256: sha256(JSON.stringify(digests.map((file) => [file.path, file.sha256]))),
  };
}

/** The checks to ask, in the definition's order: all of them, or those named; throws HelixError `config` for one there is not. */
export function chosenChecks(definition: Definition, wanted: readonly string[] | undefined): readonly Check[] {
  if (wanted === undefined) return definition.checks;
  const known = definition.checks.map(({ id }) => id);
  const chosen = new Set(wanted.map((id) => (known.includes(id) ? id : (ALIASES.get(id) ?? id))));
  for (const id of chosen) {
    if (known.includes(id)) continue;
    const hint = known.length === 0 ? 'it has none: add checks/<id>.md' : suggestion(id, known);
    throw new HelixError('config', `approvals of type ${definition.type} have no check "${oneLine(id, 60)}"`, { hint });
  }
  return definition.checks.filter(({ id }) => chosen.has(id));
}

/** Tells whether a check never is without an object: its front matter allows nothing, or its text says so where it has none. */
export function alwaysApplies({ text, notApplicable }: Check): boolean {
  if (notApplicable !== undefined) return notApplicable.length === 0;
  const lines = text.split('\n').map((line) =>
    line
      .replace(/[^a-z:.]+/gi, ' ')
      .trim()
      .toLowerCase(),
  );
  const told = lines.filter((line) => line !== '');
  return told.some((line, index) => NEVER.test(line) || (line === 'not applicable' && told[index + 1] === 'never.'));
}

function checksOf(type: string, files: readonly (readonly [string, string])[]): Check[] {
  const checks = files.flatMap(([path, content]) => {
    const id = CHECK.exec(path)?.[1];
    if (id === undefined) return [];
    const place = `approvals/${type}/${oneLine(path, 120)}`;
    if (!CHECK_ID.test(id)) {
      const hint = 'Use lower-case letters, digits and -, at most 64, the first one a letter or digit.';
      throw new HelixError('config', `${place}: the name of the file cannot be the id of a check`, { hint });
    }
    const { text, ...allowed } = splitCheck(content, place);
    if (text.trim() === '') {
      throw new HelixError('config', `${place} is empty`, { hint: 'Write what to check, or remove the file.' });
    }
    return [{ id, text, ...allowed, sha256: sha256(content) }];
  });
  if (checks.length <= DEFINITION_LIMITS.checks) return checks;
  const message = `approvals/${type} has ${checks.length} checks, more than the ${DEFINITION_LIMITS.checks} allowed`;
  throw new HelixError('config', message, { hint: 'Split it into several types.' });
}

function checkSizes(type: string, files: readonly (readonly [string, string])[]): void {
  const { fileBytes, bytes } = DEFINITION_LIMITS;
  let total = 0;
  for (const [path, text] of files) {
    const size = Buffer.byteLength(text);
    total += size;
    const place = `approvals/${type}/${oneLine(path, 120)}`;
    if (size > fileBytes) {
      throw new HelixError('config', `${place} is larger than ${fileBytes / 1024} KB`, { hint: 'Make it shorter.' });
    }
    if (total > bytes) {
      const message = `approvals/${type} is larger than ${bytes / 1024} KB in all`;
      throw new HelixError('config', message, { hint: 'Keep in skills/ only what every judge of this type needs.' });
    }
  }
}
