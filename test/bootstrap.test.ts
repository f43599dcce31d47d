import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunDocument, SummaryDocument } from '../src/domain/documents/documents.ts';
import { EvidenceDocument } from '../src/domain/documents/evidence-document.ts';
import { HELIX, helix } from './helix-process.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EXAMPLE = join(ROOT, 'examples/bootstrap');
const SEED = join(ROOT, '../shared/seeds/004-ADR-006-dynamic-phases.md');

it.skipIf(!existsSync(SEED))('its plan is that of ADR-006, word for word', () => {
  const blocks = [...readFileSync(SEED, 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text = '']) => text);
  expect(readFileSync(join(EXAMPLE, 'phases.yaml'), 'utf8')).toBe(
    blocks.find((text) => text.includes('name: "helix-v4-bootstrap"')),
  );
});

describe('the example bootstrap', () => {
  const dir = mkdtempSync(join(tmpdir(), 'helix-bootstrap-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const env = { PATH: `${dirname(HELIX)}:${process.env.PATH}` };
  const final = (name: string) => {
    const [run = ''] = readdirSync(join(dir, '.helix/runs'));
    return readFileSync(join(dir, '.helix/runs', run, 'final', name), 'utf8');
  };
  let said = '';
  beforeAll(async () => {
    cpSync(EXAMPLE, dir, { recursive: true });
    const { code, stdout, stderr } = await helix(['run', '--trust', '--no-wait'], { cwd: dir, env });
    said = `${stdout}${stderr}`;
    expect(code, said).toBe(0);
  }, 300_000);

  it('goes through its seven phases, each with its first attempt', async () => {
    const { stdout } = await helix(['status', '--json'], { cwd: dir, env });
    const { status, phases } = RunDocument.parse(JSON.parse(stdout));
    expect(status).toBe('passed');
    expect(phases.map(({ status: each, attempts }) => `${each} ${attempts}`)).toEqual(Array(7).fill('passed 1'));
  });

  it('runs HELIX on a mini project, which leaves nothing in the outer one and is trusted by nobody outside', () => {
    const { tests } = EvidenceDocument.parse(JSON.parse(final('evidence.json')));
    expect(tests.find(({ phase }) => phase === '06-e2e-test')?.after).toMatchObject({ total: 1, failed: [] });
    expect(readdirSync(join(dir, '.helix/runs'))).toHaveLength(1);
    const state = readdirSync(join(dir, '.state'), { recursive: true, encoding: 'utf8', withFileTypes: true });
    const texts = state.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    expect(texts.length).toBeGreaterThan(0);
    for (const path of texts) expect(readFileSync(path, 'utf8')).not.toContain('/mini-');
  });

  it('shows of each criterion which gate has proven it: on the terminal, as JSON, and in the report', async () => {
    const { stdout } = await helix(['status', '--trace'], { cwd: dir, env });
    expect(stdout).toContain('Criteria  4 of 4 proven');
    expect(stdout).toMatch(/✔ C4 .*\n +06-e2e-test: gate tests_pass has passed/);
    const json = await helix(['status', '--trace', '--json'], { cwd: dir, env });
    const { criteria = [] } = RunDocument.parse(JSON.parse(json.stdout));
    expect(criteria.map(({ id, phases, state }) => [id, phases, state])).toEqual([
      ['C1', ['02-foundation'], 'proven'],
      ['C2', ['03-templates'], 'proven'],
      ['C3', ['04-unit-tests'], 'proven'],
      ['C4', ['06-e2e-test'], 'proven'],
    ]);
    const page = final('report.html');
    expect(page).toContain('<h3>Criteria<span class="soft">4 of 4 proven</span></h3>');
    expect(page).toContain('06-e2e-test: gate tests_pass has passed');
    expect(SummaryDocument.parse(JSON.parse(final('summary.json'))).findings).toBeUndefined();
    expect(said).not.toContain('not proven');
  });
});
