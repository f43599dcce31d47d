import { readWaivers } from '../../adr/concept/waivers.ts';
import type { Adr } from '../../adr/document/adr.ts';
import { parseAdr } from '../../adr/document/parse-adr.ts';
import type { RuleSet } from '../../adr/rules/rule-set.ts';
import { switchedOff } from '../../adr/rules/switched-off.ts';
import type { Finding } from '../../domain/finding.ts';
import { inQuotes } from '../../domain/in-quotes.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Readable } from '../files/source-reader.ts';
import type { GateContext } from '../gate/gate-context.ts';
import { adrRules } from './adr-rules.ts';
import { rulesSource } from './adr-surroundings.ts';
import { readAdrs } from './check-adrs.ts';

const LIMIT = 10 * 1024 * 1024;
const SCOPES: Readonly<Record<string, number>> = { patch: 1, minor: 2, major: 3 };

/** The trees an ADR is compared with: the one before the phase began, and that of the attempt before. */
type Earlier = { readonly base: Readable; readonly former?: Readable | undefined };

/** What a human has to see of ADRs that ask less of themselves than before: waivers, a lower scope, rules that a header switches off. */
export async function easedAdrs(
  adrs: readonly Adr[],
  rules: RuleSet,
  { base, former }: Earlier,
): Promise<{ readonly findings: readonly Finding[]; readonly asks: readonly string[] }> {
  const findings: Finding[] = [];
  for (const adr of adrs) {
    const [before, last] = [await versionIn(base, adr.path), former && (await versionIn(former, adr.path))];
    const versions = [before, last].filter((each) => each !== undefined);
    const told = [...newWaivers(adr, before), ...new Set(versions.flatMap((each) => lowered(adr, each, rules)))];
    if (told.length > 0) findings.push(finding(adr, told));
  }
  return { findings, asks: findings.flatMap(({ location }) => location?.file ?? []) };
}

/** The same for the ADRs among the files of a gate that checks them by its own rules. */
export async function easedIn(paths: readonly string[], context: GateContext): ReturnType<typeof easedAdrs> {
  const rules = await adrRules(rulesSource(context));
  if ('message' in rules) return { findings: [], asks: [] };
  const { adrs } = await readAdrs(
    paths.filter((path) => /\.(?:md|markdown)$/i.test(path)),
    context.tree,
  );
  return easedAdrs(adrs, rules, context);
}

async function versionIn(tree: Readable, path: string): Promise<Adr | undefined> {
  const bytes = await tree.read(path, LIMIT);
  return bytes === undefined ? undefined : parseAdr(bytes.toString('utf8'), path);
}

/** Waivers that were not there before the phase began: what an attempt added is the agent's, however often it repeats it. */
function newWaivers(adr: Adr, before: Adr | undefined): string[] {
  const known = new Set(before === undefined ? [] : readWaivers(before).map(({ name }) => name));
  const added = readWaivers(adr).filter(({ name, reason }) => reason !== '' && !known.has(name));
  return added.map(
    ({ section, reason }) =>
      `it waives ${inQuotes(oneLine(section, 100))} of its concept: ${inQuotes(oneLine(reason, 200))}`,
  );
}

function lowered(adr: Adr, former: Adr, rules: RuleSet): string[] {
  const [now, before] = [scopeOf(adr), scopeOf(former)];
  const isLower = (SCOPES[now] ?? 0) < (SCOPES[before] ?? 0);
  const off = switchedOff(adr, former, rules).map((id) => oneLine(id, 60));
  return [
    ...(isLower ? [`change_scope was ${inQuotes(before)} and is ${inQuotes(oneLine(now, 40))} now`] : []),
    ...(off.length > 0 ? [`its header switches off ${off.join(', ')}`] : []),
  ];
}

function scopeOf({ frontMatter }: Adr): string {
  return String(frontMatter?.fields.change_scope ?? '')
    .trim()
    .toLowerCase();
}

function finding({ path }: Adr, told: readonly string[]): Finding {
  return {
    severity: 'warning',
    check: 'eased-adr',
    message: `the ADR asks less of itself than before: ${told.join('; ')}`,
    hint: 'A human is asked whether that is right.',
    location: { file: path },
  };
}
