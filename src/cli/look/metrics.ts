import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAdrDirectory, readAdrSets } from '../../adapters/adrs/adr-files.ts';
import { KEPT } from '../../adapters/judging/approval-folder.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { present } from '../../domain/present.ts';
import type { World } from '../../ports/world.ts';
import { type MetricsAbout, metricsDocument } from '../../report/approval/metrics.ts';
import {
  factOfInterruption,
  factOfResult,
  factsOfRun,
  joinFacts,
  type MetricsFacts,
} from '../../report/approval/metrics-facts.ts';
import { renderMetrics } from '../../report/approval/metrics-text.ts';
import { count } from '../../report/words/count.ts';
import { renderJson } from '../../report/words/json.ts';
import { sha256 } from '../../text/digest.ts';
import { type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { formatOf } from '../call/format-of.ts';
import { judgingPlace } from '../call/nearest-project.ts';
import { DIR_OPTION, openWorldOf } from '../call/open-project.ts';
import { readKeptApprovals } from '../judge/kept-approvals.ts';

const DAY_MS = 86_400_000;

/** `helix metrics` */
export const metrics: Command = {
  usage: 'metrics [--since D] [--format text|json]',
  about: `How the approvals of this project go, in its runs and outside of them: how many are approved at first and in the end,
how long a verdict takes, what it costs by type, model and phase, which ADRs are approved as they are now, what the cache
and the free checks saved, what was cut short and which findings keep coming back, beside the aims for each; how many verdicts
people have marked as wrong (helix approve mark), as rates with 95 % intervals. Verdicts of
simulated agents are left out as soon as there are real ones, and so is what another user's HELIX, or none, wrote into
.helix/approvals/.`,
  positionals: { min: 0, max: 0 },
  options: {
    since: { type: 'string', value: 'D', help: 'only what happened since then: 2026-01-31, or 7d for seven days' },
    format: { type: 'string', value: 'F', help: 'text (default) or json' },
    dir: DIR_OPTION,
    json: JSON_OPTION,
  },
  examples: ['helix metrics', 'helix metrics --since 30d', 'helix metrics --format json | jq .targets'],
  run: async (call) => {
    const json = formatOf(call, { text: false, json: true });
    const since = sinceOf(call.text('since'));
    const world = openWorldOf(call, call.text('dir') ?? judgingPlace(process.cwd()));
    const { facts, runs, unreadable } = await gather(world);
    const adrs = adrsOf(world.project.dir);
    const document = metricsDocument(facts, {
      ...{ runs, unreadable },
      ...present({ since, adrs }),
    });
    const { terminal } = call;
    const { total, phases, unreadable: lost } = document;
    if (json) terminal.out(renderJson(document));
    else if (total.approvals + total.interruptions + phases.length + lost.length === 0) {
      terminal.out(`no approval yet${since === undefined ? '' : ` since ${since.slice(0, 10)}`}\n`);
      terminal.err('Make one: helix approve adr docs/adr/0001-….md\n');
    } else terminal.out(renderMetrics(document, terminal.paintOut));
    return EXIT.passed;
  },
};

function sinceOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  const since = days === undefined ? day : new Date(Date.now() - Number(days) * DAY_MS);
  // Where a month has no such day, another one comes out.
  const real = since !== undefined && !Number.isNaN(since.getTime()) && (days !== undefined || isoDay(since) === text);
  if (real) return since.toISOString();
  throw new HelixError('usage', `${JSON.stringify(text)} is not a day`, {
    hint: 'Write it as 2026-01-31, or as 7d for the last seven days.',
  });
}

function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

type Gathered = Pick<MetricsAbout, 'runs'> & {
  readonly facts: MetricsFacts;
  readonly unreadable: { name: string; why: string }[];
};

async function gather(world: World): Promise<Gathered> {
  const kept = readKeptApprovals(world.project.dir);
  const { notMadeHere } = kept;
  const marks = new Map(kept.marks.map(({ approval, as }) => [approval, as]));
  const foreign = notMadeHere === 0 ? [] : [{ name: KEPT, why: `${count(notMadeHere, 'file')} not made here` }];
  const unreadable = [...foreign, ...kept.unreadable];
  const parts: MetricsFacts[] = [
    {
      verdicts: kept.results.map((result) => factOfResult(result, marks.get(result.approval_id))),
      interruptions: kept.interruptions.map(factOfInterruption),
      work: [],
      rungs: [],
    },
  ];
  const journal = world.hasJournal() ? await world.journal() : undefined;
  const rows = (await journal?.list()) ?? [];
  for (const { run } of rows) {
    try {
      parts.push(factsOfRun(run, (await journal?.read(run)) ?? []));
    } catch (error) {
      if (!(error instanceof HelixError)) throw error;
      unreadable.push({ name: `run ${run}`, why: error.message });
    }
  }
  return { facts: joinFacts(parts), runs: rows.length, unreadable };
}

/** The ADRs as `helix adr list` finds them, by the digests of what they say now. */
function adrsOf(project: string): MetricsAbout['adrs'] {
  const directory = findAdrDirectory(project);
  if (directory === undefined) return undefined;
  const paths = readPaths(directory, project);
  return { directory, sha256: new Map(paths.map((path) => [path, sha256(readFileSync(join(project, path)))])) };
}

function readPaths(directory: string, cwd: string): string[] {
  try {
    const files = readAdrSets([directory], { cwd }).flatMap((set) => set.files);
    return files.filter(({ text }) => text !== undefined).map(({ path }) => path);
  } catch (error) {
    // A folder for ADRs in which there is none yet.
    if (error instanceof HelixError && error.code === 'not_found') return [];
    throw error;
  }
}
