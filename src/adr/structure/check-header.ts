import { present } from '../../domain/present.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { isRecord } from '../../text/is-record.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Adr, AdrFinding, FrontMatter, Place, Told } from '../document/adr.ts';
import { unpadded } from '../document/adr-names.ts';
import { statusOf } from '../document/status.ts';
import type { Report } from './report.ts';

type Severity = AdrFinding['severity'];

/** Checks what an ADR tells about itself. */
export function checkHeader(adr: Adr, helix: boolean, report: Report): void {
  for (const { severity, check, message, hint, location } of adr.frontMatter?.findings ?? []) {
    const { line = 1, column = 1 } = location ?? {};
    report(severity, { check, message, ...present({ hint }) }, { line, column });
  }
  if (adr.frontMatter?.isMapping === false) {
    const hint = 'write each field as `name: value`';
    report(helix ? 'error' : 'warning', {
      check: 'header-yaml',
      message: 'the front matter is no list of fields',
      hint,
    });
  }
  checkPresence(adr, helix, report);
  const sound = withoutBrokenFields(adr);
  checkStatus(sound, helix, report);
  checkDates(sound, helix, report);
  checkIds(adr, helix, report);
  if (helix && adr.frontMatter !== undefined) checkFields(adr.frontMatter, report);
}

/** Values of a header that is no YAML are a guess. */
function withoutBrokenFields(adr: Adr): Adr {
  if (!adr.frontMatter?.findings.some(({ severity }) => severity === 'error')) return adr;
  const elsewhere = ({ source }: Told) => source !== 'front-matter';
  return { ...adr, statuses: adr.statuses.filter(elsewhere), dates: adr.dates.filter(elsewhere) };
}

function checkPresence(adr: Adr, helix: boolean, report: Report): void {
  const { findings = [], isMapping = true } = adr.frontMatter ?? {};
  const broken = (helix && !isMapping) || findings.some(({ severity }) => severity === 'error');
  const missing: Severity = helix ? 'error' : 'warning';
  if (adr.frontMatter === undefined && !adr.legacyHeader) checkLateHeader(adr, helix, report);
  if (broken) return;
  const told = adr.ids.filter(({ source }) => !helix || source !== 'file-name');
  if (helix && told.length === 0)
    report('error', { check: 'missing-id', message: 'the ADR has no id', hint: 'add `adr_id: "007"` to the header' });
  if (adr.titles.every(({ value }) => value === ''))
    report(missing, { check: 'missing-title', message: 'the ADR has no title', hint: 'add a first heading `# Title`' });
  if (adr.statuses.length === 0) {
    const hint = 'say whether it is proposed, accepted, implemented, superseded or rejected';
    report(missing, { check: 'missing-status', message: 'the ADR has no status', hint });
  }
}

function checkLateHeader(adr: Adr, helix: boolean, report: Report): void {
  const late = lateFrontMatter(adr);
  if (late > 0) {
    const message = `the ADR has no YAML header: what looks like one starts in line ${late}`;
    const hint = 'front matter must start in line 1: remove what stands above its `---`';
    report(helix ? 'error' : 'warning', { check: 'header-yaml', message, hint }, { line: late, column: 1 });
  } else if (helix) {
    const hint = 'start the file with a line `---`, then adr_id, title and status, then another `---`';
    report('error', { check: 'header-yaml', message: 'the ADR has no YAML header', hint });
  }
}

/** The line where front matter starts below empty lines or a comment, where nobody reads it; 0 when there is none. */
function lateFrontMatter({ lines, prose, sections }: Adr): number {
  const above = Math.min(sections[0]?.line ?? lines.length, 100);
  const first = prose.slice(0, above).findIndex((line) => line.trim() !== '');
  return prose[first]?.trim() === '---' && /^[\w-]+\s*:/.test(lines[first + 1] ?? '') ? first + 1 : 0;
}

/** The states an ADR can be in. */
export const ADR_STATES = 'Proposed, Accepted, Implemented, Superseded, Rejected';

function checkStatus(adr: Adr, helix: boolean, report: Report): void {
  const read = adr.statuses.map((told) => ({ told, meaning: statusOf(told.value) }));
  for (const { told, meaning } of read) {
    const listed =
      meaning !== undefined && meaning !== 'deprecated' && !/^\W*(?:draft|pending|done)\b/i.test(told.value);
    if (meaning !== undefined && (!helix || listed)) continue;
    const message = told.value === '' ? 'the status is empty' : `unknown status "${oneLine(told.value, 60)}"`;
    report(helix ? 'error' : 'warning', { check: 'invalid-status', message, hint: `use one of: ${ADR_STATES}` }, told);
  }
  const first = read.find(({ meaning }) => meaning !== undefined);
  const other = read.find(
    ({ meaning, told }) => meaning !== undefined && meaning !== first?.meaning && told !== first?.told,
  );
  if (first === undefined || other === undefined || sameState(first.meaning, other.meaning)) return;
  const places = `"${oneLine(first.told.value, 40)}" in line ${first.told.line} and "${oneLine(other.told.value, 40)}" here`;
  report(
    'warning',
    { check: 'status-conflict', message: `two statuses: ${places}`, hint: 'keep one of them' },
    other.told,
  );
}

/** An implemented decision is an accepted one, a deprecated one may have a successor. */
function sameState(a: string | undefined, b: string | undefined): boolean {
  const pair = [a, b].sort().join(' ');
  return pair === 'accepted implemented' || pair === 'deprecated superseded';
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/;

function checkDates(adr: Adr, helix: boolean, report: Report): void {
  for (const told of adr.dates) {
    const value = told.value.replace(/[*_`"']/g, '').trim();
    const [, year, month, day] = ISO.exec(value) ?? [];
    if (year !== undefined) {
      const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
      if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) {
        const message = `there is no day ${oneLine(value, 40)}`;
        report(helix ? 'error' : 'warning', { check: 'invalid-date', message, hint: 'write it as 2026-01-31' }, told);
      }
    } else if (/\d/.test(value)) {
      const message = `the date "${oneLine(value, 40)}" is not written as year-month-day`;
      report(
        'warning',
        { check: 'date-format', message, hint: 'write it as 2026-01-31, which sorts and has one meaning' },
        told,
      );
    } else if (value !== '') {
      const message = `"${oneLine(value, 40)}" is no date`;
      report(helix ? 'error' : 'warning', { check: 'invalid-date', message, hint: 'write it as 2026-01-31' }, told);
    }
  }
}

function checkIds(adr: Adr, helix: boolean, report: Report): void {
  const [first, ...others] = adr.ids;
  const other = others.find((each) => first !== undefined && !sameId(first, each));
  if (first === undefined || other === undefined) return;
  const severity = helix && other.source !== 'file-name' ? 'error' : 'warning';
  const where = {
    'front-matter': 'the header',
    heading: 'the title',
    'file-name': 'the file name',
    top: 'the top',
    section: 'a section',
  };
  const message = `${where[first.source]} says ADR ${oneLine(first.value, 20)}, ${where[other.source]} says ADR ${oneLine(other.value, 20)}`;
  report(
    severity,
    { check: 'id-mismatch', message, hint: 'give it one number everywhere' },
    other.source === 'file-name' ? first : other,
  );
}

function sameId(a: Told, b: Told): boolean {
  const bare = ({ value }: Told) => value.toLowerCase().replace(/^adr[-_ ]?/, '');
  const [x, y] = [bare(a), bare(b)];
  // A name of its own, such as a slug, is no number that could differ.
  if (!/^[\d.]+$/.test(x) || !/^[\d.]+$/.test(y)) return true;
  return unpadded(x) === unpadded(y);
}

/** The values HELIX' own header knows; everything else in it is free. */
export const HEADER_VALUES: Readonly<Record<string, readonly string[]>> = {
  project_type: ['helix_internal', 'external'],
  component_type: ['TOOL', 'NODE', 'AGENT', 'PROCESS', 'SERVICE', 'SKILL', 'PROMPT', 'CONFIG', 'DOCS', 'MISC'],
  classification: ['NEW', 'UPDATE', 'FIX', 'REFACTOR', 'DEPRECATE', 'ENHANCEMENT'],
  change_scope: ['major', 'minor', 'config', 'docs', 'hotfix'],
};
const LISTS = ['skills', 'depends_on', 'related_to', 'files.create', 'files.modify', 'files.docs'];
const FIELDS = [
  ...Object.keys(HEADER_VALUES),
  'adr_id title status date domain language skills files depends_on related_to supersedes superseded_by concept_waivers meta'.split(
    ' ',
  ),
].flat();

/** Checks the fields of HELIX's own header: known values, the right shape, no misspelt names. */
function checkFields(frontMatter: FrontMatter, report: Report): void {
  checkValues(frontMatter, report);
  checkShapes(frontMatter, report);
  for (const key of Object.keys(frontMatter.fields)) {
    if (FIELDS.includes(key)) continue;
    const near = didYouMean(key, FIELDS);
    if (near === undefined || Object.hasOwn(frontMatter.fields, near)) continue;
    const message = `unknown field "${oneLine(key, 60)}"`;
    const { line = 1, column = 1 } = frontMatter.locateKey([key]);
    report('warning', { check: 'header-yaml', message, hint: `did you mean "${near}"?` }, { line, column });
  }
}

function placeOf(frontMatter: FrontMatter, path: readonly PropertyKey[]): Place {
  const { line = 1, column = 1 } = frontMatter.locate(path);
  return { line, column };
}

function checkValues(frontMatter: FrontMatter, report: Report): void {
  for (const [field, values] of Object.entries(HEADER_VALUES)) {
    const value = frontMatter.fields[field];
    if (value === undefined || value === null) continue;
    const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
    if (values.some((each) => each.toLowerCase() === word)) continue;
    const message =
      typeof value === 'string' ? `unknown ${field} "${oneLine(value, 60)}"` : `"${field}" must be one word`;
    const hint = `use one of: ${values.join(', ')}`;
    report('error', { check: 'header-yaml', message, hint }, placeOf(frontMatter, [field]));
  }
}

function checkShapes(frontMatter: FrontMatter, report: Report): void {
  const { files } = frontMatter.fields;
  if (files !== undefined && files !== null && !isRecord(files)) {
    const hint = 'write it as three lists: create, modify and docs';
    report('error', { check: 'header-yaml', message: '"files" must be a map', hint }, placeOf(frontMatter, ['files']));
  }
  for (const list of LISTS) {
    const path = list.split('.');
    const value = path.reduce<unknown>((map, key) => (isRecord(map) ? map[key] : undefined), frontMatter.fields);
    if (value === undefined || value === null) continue;
    const wrong = Array.isArray(value) ? value.findIndex((entry) => typeof entry === 'object') : -1;
    if (Array.isArray(value) && wrong === -1) continue;
    const message = Array.isArray(value) ? `an entry of "${list}" must be text` : `"${list}" must be a list`;
    const place = placeOf(frontMatter, Array.isArray(value) ? [...path, wrong] : path);
    report('error', { check: 'header-yaml', message, hint: 'write it as [first, second]' }, place);
  }
}
