import { type AdrSet, findAdrDirectory, readAdrSets } from '../../adapters/adrs/adr-files.ts';
import { PROFILE_CHOICES, type ProfileChoice } from '../../adr/check-adr.ts';
import { checkAdrSet } from '../../adr/check-adr-set.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { type Call, type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { checkFormat, renderBaseline, renderChecks } from './check-formats.ts';
import { RULES_OPTION, rulesByFile } from './rules.ts';

/** `helix adr check` */
export const check: Command = {
  usage: `adr check [paths…] [--profile ${PROFILE_CHOICES.join('|')}] [--format text|json|sarif|github|junit]`,
  about: `Checks ADRs: their structure by the form they have, the rules their context calls for, what their concept promised,
and how they refer to each other. Paths are files or folders; without any, the usual folder is looked for (docs/adr,
doc/decisions, …). Files given by name are compared with each other, a folder directory by directory. Whatever cannot
be read, such as a concept that does not exist, is a finding. Exits 0 without errors, 1 with errors, 2 when called wrongly.`,
  positionals: { min: 0, max: Number.POSITIVE_INFINITY },
  options: {
    profile: { type: 'string', value: 'P', help: 'the form the ADRs have (default auto: each its own)' },
    rules: RULES_OPTION,
    concept: { type: 'string', value: 'FILE', help: 'the concept the ADRs were written from: what of it is lost?' },
    baseline: { type: 'string', value: 'FILE', help: 'findings that are known: only others are shown and fail' },
    'update-baseline': { type: 'boolean', help: 'write all that is found now to the baseline' },
    diff: {
      type: 'string',
      value: 'REF',
      help: 'only ADRs that changed since a commit, branch or tag, or refer to one deleted since',
    },
    format: { type: 'string', value: 'F', help: 'text (default), json, sarif, github or junit' },
    json: JSON_OPTION,
  },
  examples: [
    'helix adr check docs/adr',
    'helix adr check docs/adr/0007-use-postgres.md --concept docs/concepts/storage.md',
    'helix adr check --baseline adr-baseline.json --update-baseline',
    'helix adr check --diff origin/main --format github',
  ],
  run: async (call) => {
    const cwd = process.cwd();
    const format = checkFormat(call);
    const profile = profileOf(call);
    const ratchet = await ratchetOf(call, cwd);
    const sets = readAdrSets(pathsOf(call, cwd), { cwd });
    const files = sets.flatMap((set) => set.files.map(({ path }) => path));
    const rules = await rulesByFile(call, cwd, files);
    const concept = await conceptOf(call, cwd);
    const checks = sets.flatMap((set) =>
      checkAdrSet(set, { profile, rules, ...(concept?.check && { concept: concept.check }) }),
    );
    const all = concept?.finding === undefined ? checks : checks.map(concept.finding);
    if (ratchet !== undefined && call.flag('update-baseline')) {
      await renderBaseline(await ratchet.update(all), { call, format });
      return EXIT.passed;
    }
    const left = ratchet?.apply(all) ?? { checks: all, notes: [] };
    const ref = call.text('diff');
    const changed =
      ref === undefined
        ? { checks: left.checks, notes: [] }
        : await (await import('./changed-checks.ts')).changedChecks(left.checks, { ref, cwd, sets, profile });
    await renderChecks(changed.checks, {
      call,
      format,
      texts: textsOf(sets),
      notes: [...left.notes, ...changed.notes],
    });
    return changed.checks.some(({ verdict }) => verdict === 'reject') ? EXIT.failed : EXIT.passed;
  },
};

function profileOf(call: Call): ProfileChoice {
  const named = call.text('profile') ?? 'auto';
  const profile = PROFILE_CHOICES.find((each) => each === named);
  if (profile !== undefined) return profile;
  throw new HelixError('usage', `there is no profile ${JSON.stringify(named)}`, {
    hint: suggestion(named, PROFILE_CHOICES),
  });
}

async function ratchetOf(call: Call, cwd: string) {
  const file = call.text('baseline');
  if (file !== undefined) return (await import('./ratchet.ts')).openRatchet(file, cwd);
  if (!call.flag('update-baseline')) return undefined;
  throw new HelixError('usage', '--update-baseline needs to know which one', { hint: 'Add --baseline FILE.' });
}

async function conceptOf(call: Call, cwd: string) {
  const path = call.text('concept');
  return path === undefined ? undefined : (await import('./concept.ts')).readConcept(path, cwd);
}

function pathsOf({ positionals }: Call, cwd: string): readonly string[] {
  if (positionals.includes(''))
    throw new HelixError('usage', 'a path is empty', { hint: 'Name a file or folder; this one is "."' });
  if (positionals.length > 0) return positionals;
  const found = findAdrDirectory(cwd);
  if (found !== undefined) return [found];
  throw new HelixError('not_found', 'there is no folder with ADRs here', {
    hint: 'Name files or folders: helix adr check path/to/adrs',
  });
}

function textsOf(sets: readonly AdrSet[]): ReadonlyMap<string, string> {
  const files = sets.flatMap((set) => set.files);
  return new Map(files.flatMap(({ path, text }) => (text === undefined ? [] : [[path, text] as const])));
}
