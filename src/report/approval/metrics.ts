import type { Costs, Figures, MetricsDocument, Seconds, Target } from '../../domain/documents/metrics-document.ts';
import type { Cost } from '../../domain/facts/run-event.ts';
import { present } from '../../domain/present.ts';
import { errorRates } from './error-rates.ts';
import { ladderOf } from './ladder-metrics.ts';
import type { InterruptionFact, MetricsFacts, VerdictFact } from './metrics-facts.ts';

/** A finding that stood in so many verdicts in a row has outlived two attempts to mend it. */
const STUCK_VERDICTS = 3;
const NOT_TOLD = 'not told';

/** What metrics tell beside the facts. */
export type MetricsAbout = Pick<MetricsDocument, 'runs' | 'unreadable'> & {
  readonly since?: string;
  /** The ADRs of the project by their path, and the digests of what they say now. */
  readonly adrs?: { readonly directory: string; readonly sha256: ReadonlyMap<string, string> };
};

/** How the approvals of a project go, what they take and what they cost. */
export function metricsDocument(all: MetricsFacts, about: MetricsAbout): MetricsDocument {
  const { since = '', adrs, runs, unreadable } = about;
  const recent: MetricsFacts = {
    verdicts: all.verdicts.filter(({ at }) => at >= since),
    interruptions: all.interruptions.filter(({ at }) => at >= since),
    work: all.work.filter(({ at }) => at >= since),
    rungs: all.rungs.filter(({ at }) => at >= since),
  };
  const { facts, simulated, leftOut } = realOf(recent);
  const { verdicts, interruptions } = facts;
  const covered = adrs === undefined ? undefined : coverage(adrs, realOf(all).facts.verdicts);
  const total = figures(verdicts, interruptions);
  return {
    schema: 'helix.metrics/1',
    ...present({ since: about.since }),
    runs,
    simulated,
    simulatedLeftOut: leftOut,
    total,
    types: byName(verdicts, interruptions, {
      of: ({ result }) => result.approval_type,
      cut: ({ type }) => type,
    }).map(([type, given, cut]) => ({ type, ...figures(given, cut) })),
    models: byName(verdicts.filter(wasAsked), interruptions, {
      of: ({ result }) => result.agent_context.model ?? NOT_TOLD,
      cut: ({ model }) => model ?? NOT_TOLD,
    }).map(([model, given, cut]) => ({ model, approvals: given.length, cost: costsOf([...given, ...cut]) })),
    phases: phasesOf(facts),
    ...present({ adrs: covered }),
    ladder: ladderOf(facts.rungs),
    interruptions: [...Map.groupBy(interruptions, ({ failure }) => failure)]
      .map(([failure, each]) => ({ failure, count: each.length }))
      .toSorted((a, b) => b.count - a.count),
    stuck: stuckOf(verdicts),
    targets: targetsOf(verdicts, { total, share: covered?.share }),
    unreadable,
  };
}

/** Where anything real was done, what was only simulated tells nothing. */
function realOf(facts: MetricsFacts): { facts: MetricsFacts; simulated: boolean; leftOut: number } {
  const verdicts = facts.verdicts.filter(({ result }) => !result.agent_context.simulated);
  const interruptions = facts.interruptions.filter(({ simulated }) => !simulated);
  const work = facts.work.filter(({ simulated }) => !simulated);
  const rungs = facts.rungs.filter(({ simulated }) => !simulated);
  const leftOut = facts.verdicts.length + facts.interruptions.length - verdicts.length - interruptions.length;
  // The free checks are real whoever would have judged after them.
  const judged = verdicts.some(({ result }) => result.stage === 'agent') || interruptions.length + work.length > 0;
  const onlyReal = leftOut === 0 && work.length === facts.work.length;
  if (judged || onlyReal) return { facts: { verdicts, interruptions, work, rungs }, simulated: false, leftOut };
  return { facts, simulated: true, leftOut: 0 };
}

/** Tells whether a judge was asked for this verdict. */
function wasAsked({ result }: VerdictFact): boolean {
  return result.stage === 'agent' && !result.cached;
}

function figures(verdicts: readonly VerdictFact[], interruptions: readonly InterruptionFact[]): Figures {
  const came = (wanted: string) => verdicts.filter(({ result }) => result.result === wanted).length;
  const subjects = [...Map.groupBy(verdicts, ({ subject }) => subject).values()];
  const firstPass = shareOf(subjects, (each) => isApproved(each[0]));
  const final = shareOf(subjects, (each) => isApproved(each.at(-1)));
  const seconds = secondsOf(verdicts.filter(wasAsked));
  return {
    ...{ approvals: verdicts.length, approved: came('approved') },
    ...{ needsRevision: came('needs_revision'), rejected: came('rejected'), subjects: subjects.length },
    ...present({ firstPass, final, seconds }),
    cost: costsOf([...verdicts.filter(wasAsked), ...interruptions]),
    cached: verdicts.filter(({ result }) => result.cached).length,
    preCheckRejections: verdicts.filter(wasPreChecked).length,
    interruptions: interruptions.length,
  };
}

function wasPreChecked({ result }: VerdictFact): boolean {
  return result.stage === 'pre_check' && result.result !== 'approved';
}

function isApproved(verdict: VerdictFact | undefined): boolean {
  return verdict?.result.result === 'approved';
}

function shareOf<T>(all: readonly T[], fits: (each: T) => boolean): number | undefined {
  return all.length === 0 ? undefined : all.filter(fits).length / all.length;
}

function secondsOf(verdicts: readonly VerdictFact[]): Seconds | undefined {
  const sorted = verdicts.map(({ seconds }) => seconds).toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? 0;
  if (sorted.length === 0) return undefined;
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
  return { median, p95: at(Math.ceil(sorted.length * 0.95) - 1) };
}

function costsOf(paid: readonly { readonly cost?: Cost }[]): Costs {
  const sum = { reportedUsd: 0, equivalentUsd: 0, estimatedUsd: 0, simulatedUsd: 0, unknown: 0, tokens: 0 };
  for (const { cost } of paid) {
    const { usd, basis = 'unknown', tokens = 0, equivalent } = cost ?? {};
    sum.tokens += tokens;
    if (usd === undefined || basis === 'unknown') sum.unknown += 1;
    if (usd === undefined) continue;
    if (basis === 'simulated') sum.simulatedUsd += usd;
    else if (equivalent === true) sum.equivalentUsd += usd;
    else if (basis === 'estimated') sum.estimatedUsd += usd;
    else sum.reportedUsd += usd;
  }
  return sum;
}

type Naming = {
  readonly of: (verdict: VerdictFact) => string;
  readonly cut: (interruption: InterruptionFact) => string;
};
type Named = [name: string, given: readonly VerdictFact[], cut: readonly InterruptionFact[]];

function byName(verdicts: readonly VerdictFact[], cuts: readonly InterruptionFact[], { of, cut }: Naming): Named[] {
  const given = Map.groupBy(verdicts, of);
  const interrupted = Map.groupBy(cuts, cut);
  const names = [...new Set([...given.keys(), ...interrupted.keys()])].toSorted();
  return names.map((name) => [name, given.get(name) ?? [], interrupted.get(name) ?? []]);
}

function phasesOf({ verdicts, interruptions, work }: MetricsFacts): MetricsDocument['phases'] {
  const names = [...verdicts, ...interruptions, ...work].flatMap(({ phase }) => phase ?? []);
  return [...new Set(names)].toSorted().map((phase) => {
    const here = <T extends { readonly phase?: string }>(all: readonly T[]) =>
      all.filter((fact) => fact.phase === phase);
    const attempts = here(work);
    const asked = [...here(verdicts).filter(wasAsked), ...here(interruptions)];
    return {
      ...{ phase, approvals: here(verdicts).length, cost: costsOf(asked) },
      ...{ attempts: attempts.length, work: costsOf(attempts) },
    };
  });
}

function coverage(
  { directory, sha256 }: NonNullable<MetricsAbout['adrs']>,
  verdicts: readonly VerdictFact[],
): NonNullable<MetricsDocument['adrs']> {
  const approvals = verdicts.filter((each) => each.result.approval_type === 'adr' && isApproved(each));
  const approved = new Set(approvals.flatMap(({ result }) => result.inputs.map((input) => input.sha256)));
  const unapproved = [...sha256].filter(([, digest]) => !approved.has(digest)).map(([path]) => path);
  const covered = sha256.size - unapproved.length;
  const share = sha256.size === 0 ? {} : { share: covered / sha256.size };
  return { directory, total: sha256.size, approved: covered, ...share, unapproved };
}

function stuckOf(verdicts: readonly VerdictFact[]): MetricsDocument['stuck'] {
  return [...Map.groupBy(verdicts, ({ subject }) => subject).values()].flatMap(stuckIn);
}

/** Only verdicts on other content than before count: asking again mends nothing. */
function stuckIn(verdicts: readonly VerdictFact[]): MetricsDocument['stuck'] {
  const stuck = new Map<string, MetricsDocument['stuck'][number]>();
  let standing = new Map<string, number>();
  let before = '';
  for (const { result } of verdicts) {
    const content = JSON.stringify(result.inputs.map(({ sha256 }) => sha256).toSorted());
    if (content === before) continue;
    before = content;
    const objections = result.findings.filter(({ severity }) => severity !== 'info');
    standing = new Map(objections.map(({ fingerprint: print }) => [print, (standing.get(print) ?? 0) + 1]));
    for (const { fingerprint, check, message, location } of objections) {
      const times = standing.get(fingerprint) ?? 0;
      if (times < STUCK_VERDICTS) continue;
      const about = { type: result.approval_type, check, message, ...present({ location }) };
      stuck.set(fingerprint, { ...about, fingerprint, verdicts: times });
    }
  }
  return [...stuck.values()];
}

type Known = { readonly total: Figures; readonly share: number | undefined };

/** The aims the seeds set, each with what it is compared with. */
function targetsOf(verdicts: readonly VerdictFact[], { total, share }: Known): Target[] {
  const prices = verdicts.filter(wasAsked).flatMap(({ cost }) => (cost.basis === 'unknown' ? [] : (cost.usd ?? [])));
  const mean = prices.length === 0 ? undefined : prices.reduce((sum, usd) => sum + usd, 0) / prices.length;
  const free = secondsOf(verdicts.filter(({ result }) => result.stage === 'pre_check'))?.p95;
  const below = (limit: number) => (value: number) => value < limit;
  const target = (
    about: Omit<Target, 'value' | 'outcome'>,
    value: number | undefined,
    fits: (value: number) => boolean,
  ) => ({
    ...about,
    ...present({ value }),
    outcome: value === undefined ? ('no data' as const) : fits(value) ? ('met' as const) : ('not met' as const),
  });
  return [
    target({ name: 'time', of: 'seconds to verdict, p95', target: '< 60 s' }, total.seconds?.p95, below(60)),
    target({ name: 'cost', of: 'dollars per judged approval, mean', target: '< 0.30 USD' }, mean, below(0.3)),
    target({ name: 'coverage', of: 'ADRs with a valid approval', target: '> 90 %' }, share, (value) => value > 0.9),
    target({ name: 'pre_checks', of: 'seconds of the free checks, p95', target: '< 1 s' }, free, below(1)),
    ...errorRates(verdicts),
  ];
}
