import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readShippedConfig } from '../src/adapters/disk/shipped-config.ts';
import { checkAdr } from '../src/adr/check-adr.ts';
import { checkAgainstConcept } from '../src/adr/check-against-concept.ts';
import { shippedRules } from '../src/adr/rules/load/shipped-rules.ts';
import { type Claim, compare, inDirectory, time } from './measure.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const HELIX = path('../bin/helix');
const NODE = path('../node_modules/.bin/node');
const LINT = path('../node_modules/.bin/markdownlint-cli2');
const CORPUS = path('../../shared/corpus');
const ONE = path('../docs/adr/001-event-journal-and-one-loop.md');
const MANY = 10_000;
const RSS_MB = 500;

/** What checking ADRs costs: against a Markdown linter, against starting Node, and as files and folders grow. */
export async function adrClaims(): Promise<Claim[]> {
  return [...(await corpusClaims()), ...(await coldClaims()), await sizeClaim(), ...(await inDirectory(folderClaims))];
}

/** Both print findings and end with 1 for them. */
function run(program: string, args: readonly string[]): Promise<number> {
  return time(() => {
    const { status, stderr } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], maxBuffer: 2 ** 30 });
    if (status !== 0 && status !== 1) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
  });
}

/** None, and a line that says why, where the corpus is not at hand. */
async function corpusClaims(): Promise<Claim[]> {
  if (!existsSync(CORPUS)) {
    console.log('skipped  ADRs of the corpus against markdownlint-cli2: there is no corpus beside this checkout');
    return [];
  }
  const files = readdirSync(CORPUS, { recursive: true }).filter((name) => String(name).endsWith('.md')).length;
  const perSecond = (ms: number) => `${((files / ms) * 1000).toFixed(0)} files/s`;
  const claim = async (name: string, limit: number, more: readonly string[]): Promise<Claim> => {
    const { ratio, thing, base } = await compare(
      5,
      () => run(HELIX, ['adr', 'check', CORPUS, ...more]),
      () => run(NODE, [LINT, `${CORPUS}/**/*.md`]),
    );
    return { name, limit, ratio, detail: `${perSecond(thing)}, ${perSecond(base)}` };
  };
  const concept = path('../test/adr/lost-plan/concept.md');
  return [
    await claim('helix adr check of the corpus / markdownlint-cli2', 0.1, []),
    await claim('the same, each ADR compared with a concept / markdownlint-cli2', 0.2, ['--concept', concept]),
  ];
}

async function coldClaims(): Promise<Claim[]> {
  const claim = async (name: string, limit: number, base: () => Promise<number>): Promise<Claim> => {
    const { ratio, thing, base: other } = await compare(11, () => run(HELIX, ['adr', 'check', ONE]), base);
    return { name, limit, ratio, detail: `${thing.toFixed(0)} ms, ${other.toFixed(0)} ms` };
  };
  return [
    await claim('helix adr check of one ADR / markdownlint-cli2 of it', 0.5, () => run(NODE, [LINT, ONE])),
    await claim('helix adr check of one ADR / node -e 0', 5, () => run(NODE, ['-e', '0'])),
  ];
}

const PROSE =
  'Orders are written by three programs at once, and the ledger of day %d was damaged twice. The team keeps it in one place from now on.';

/** A valid ADR of about this many bytes, whose sections grow. */
export function sampleAdr(id: string, bytes: number): string {
  const titles = ['Context', 'Decision', 'Implementation', 'Documentation', 'Consequences'];
  const lines = Math.ceil(bytes / titles.length / PROSE.length);
  const text = Array.from({ length: lines }, (_, day) => PROSE.replace('%d', String(day))).join('\n\n- ');
  const sections = titles.map((title) => `## ${title}\n\n${text}\n`).join('\n');
  const header = `---\nadr_id: "${id}"\ntitle: Orders\nstatus: Proposed\ncomponent_type: SERVICE\nclassification: NEW\nchange_scope: minor\ndepends_on: []\n---\n`;
  return `${header}\n# ADR-${id}: Orders\n\n${sections}\n## Acceptance criteria\n\n- [ ] One order\n- [ ] Two orders\n- [ ] The API answers\n`;
}

/** Time per byte of a large file over that of a small one, all layers, in a running process. */
async function sizeClaim(): Promise<Claim> {
  const { text: rulesText, path: rulesPath } = readShippedConfig('adr-completeness-rules.yaml');
  const rules = shippedRules(rulesText, rulesPath);
  const [small, large] = [sampleAdr('001', 30_000), sampleAdr('001', 300_000)];
  const check = (text: string, rounds: number) => {
    const concept = checkAgainstConcept(text, 'concept.md');
    return time(() => {
      for (let round = 0; round < rounds; round += 1) checkAdr(text, { rules, concept });
    });
  };
  const { ratio, thing, base } = await compare(
    5,
    () => check(large, 3),
    () => check(small, 30),
  );
  const detail = `${(thing / 3).toFixed(1)} ms, ${(base / 30).toFixed(1)} ms`;
  return { name: 'time per byte of a 300 KB ADR / of a 30 KB one', limit: 1.5, ratio, detail };
}

/** Time per file and memory of a large folder whose ADRs refer to each other. */
async function folderClaims(dir: string): Promise<Claim[]> {
  for (const [name, count] of [
    ['many', MANY],
    ['few', MANY / 10],
  ] as const) {
    mkdirSync(join(dir, name));
    for (let n = 1; n <= count; n += 1) {
      const id = String(n).padStart(5, '0');
      const text = sampleAdr(id, 6000).replace(
        'depends_on: []',
        `depends_on: ["${String(Math.max(1, n - 1)).padStart(5, '0')}"]`,
      );
      writeFileSync(join(dir, name, `${id}-orders.md`), text);
    }
  }
  const { ratio, thing, base } = await compare(
    2,
    () => run(HELIX, ['adr', 'check', join(dir, 'many'), '--json']),
    () => run(HELIX, ['adr', 'check', join(dir, 'few'), '--json']),
  );
  const measured = spawnSync('/usr/bin/env', ['time', '-f', '%M', HELIX, 'adr', 'check', join(dir, 'many'), '--json'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  const megabytes = Number(/^(\d+)$/m.exec(measured.stderr)?.[1]) / 1024;
  const name = 'helix adr check of 10,000 ADRs: ';
  return [
    {
      name: `${name}time per file / that of 1,000`,
      limit: 1.3,
      ratio: ratio / 10,
      detail: `${(thing / 1000).toFixed(1)} s, ${(base / 1000).toFixed(1)} s`,
    },
    { name: `${name}memory / ${RSS_MB} MB`, limit: 1, ratio: megabytes / RSS_MB, detail: `${megabytes.toFixed(0)} MB` },
  ];
}
