import type { Finding } from '../../domain/finding.ts';
import type { Probe } from '../../domain/verdict.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { GateContext } from '../gate/gate-context.ts';
import { type BrokenFile, chooseMutants } from './choose-mutants.ts';
import { type ChangedSource, changedProduct } from './product-lines.ts';

/** A broken program may run for ever, so it gets a few times what the whole one took. */
const PATIENCE = 4;
const LEAST_MS = 20_000;
/** Code with which a broken guard could do harm: it removes things or starts programs. */
const HARMFUL =
  /\b(?:rm|rmdir|rmtree|rmSync|unlink\w*|remove_(?:dir|file)\w*|RemoveAll|removedirs|rimraf|delete(?:Directory|File|IfExists|Recursively)|FileUtils|shutil|truncate|ftruncate|DROP|child_process|exec\w*|spawn\w*|subprocess|os\.(?:system|remove|Remove)|system|Process|ProcessBuilder|Command)\b/;

/** What the tests made of a broken program. */
type Tried =
  | { readonly kind: 'noticed' | 'missed' | 'unbuilt'; readonly durationMs: number }
  | { readonly kind: 'out-of-time'; readonly durationMs: number };

/** How the tests are run, and how long that may take. */
export type Probing = {
  readonly check: string;
  /** How long the whole program's tests took. */
  readonly usualMs: number;
  /** What is left of the gate's time. */
  readonly leftMs: number;
  /** Runs the tests in a directory for so long at most. */
  readonly run: (dir: string, wallMs: number) => Promise<Tried>;
};

/** What the probe has to say, and what it tried. */
type Probed = { readonly findings: readonly Finding[]; readonly probe?: Probe };

/**
 * Breaks the lines of product code that a phase changed, each time in a fresh copy, until the tests notice: tests that notice
 * nothing say nothing about these lines. Without walls, code that could do harm when it is broken is left as it is.
 */
export async function probeTests(context: GateContext, probing: Probing): Promise<Probed> {
  const { variant } = context;
  if (variant === undefined) return { findings: [] };
  const sources = await changedProduct(context);
  const walled = sources.length > 0 && context.walls(await context.directory(), false) !== undefined;
  const chosen = await chooseMutants(sources.filter((source) => walled || !isHarmful(source)));
  if (chosen.length === 0) return { findings: [] };
  const probe = await tryAll(chosen, variant, probing);
  return { findings: judge(probe, probing.check), probe };
}

function isHarmful({ language, text }: ChangedSource): boolean {
  return language === 'bash' || HARMFUL.test(text);
}

type Variant = NonNullable<GateContext['variant']>;

/** One that is noticed is enough. */
async function tryAll(chosen: readonly BrokenFile[], variant: Variant, probing: Probing): Promise<Probe> {
  const results = new Map<BrokenFile, Probe['mutants'][number]['result']>();
  let left = probing.leftMs;
  for (const broken of chosen) {
    if (left < probing.usualMs || [...results.values()].includes('noticed')) break;
    const copy = await variant(new Map([[broken.file, Buffer.from(broken.text)]]));
    try {
      const tried = await tryOne(copy.dir, left, probing);
      left -= tried.durationMs;
      if (tried.kind === 'out-of-time') break;
      results.set(broken, tried.kind);
    } finally {
      await copy.dispose();
    }
  }
  const outOfTime = results.size < chosen.length && ![...results.values()].includes('noticed');
  const mutants = chosen.map((broken) => {
    const { file, line, change } = broken;
    return { file, line, change, result: results.get(broken) ?? 'untried' };
  });
  return { mutants, ...(outOfTime && { outOfTime }) };
}

/** Tests that come to no end have noticed, unless it was the gate that had no more time. */
async function tryOne(dir: string, left: number, { usualMs, run }: Probing): Promise<Tried> {
  const patience = Math.max(LEAST_MS, PATIENCE * usualMs);
  const tried = await run(dir, Math.min(left, patience));
  return tried.kind === 'out-of-time' && patience <= left ? { ...tried, kind: 'noticed' } : tried;
}

function judge({ mutants, outOfTime }: Probe, check: string): Finding[] {
  const by = (result: string) => mutants.filter((mutant) => mutant.result === result);
  const [missed, untried] = [by('missed'), by('untried').length];
  if (by('noticed').length > 0) return [];
  const late = outOfTime === true ? `; for ${untried} more there was no time` : '';
  if (missed.length === 0) {
    const why = outOfTime === true ? 'there was no time left' : 'nothing could be tested with any of the changes tried';
    return [{ severity: 'info', check, message: `whether the tests notice broken code is not known: ${why}` }];
  }
  const list = missed.map(({ file, line, change }) => `${oneLine(file, 200)}:${line} (${change})`).join(', ');
  const [{ file, line } = { file: '', line: 1 }] = missed;
  return [
    {
      severity: 'warning',
      check: 'unnoticed-change',
      message: `the tests pass just as well with what this phase changed broken on purpose: ${list}${late}`,
      hint: 'Write a test that fails when one of these lines is wrong.',
      location: { file, line },
    },
  ];
}
