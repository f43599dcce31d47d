import { present } from '../../domain/present.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Adr, AdrFinding, Told } from '../document/adr.ts';
import { unpadded } from '../document/adr-names.ts';
import { statusOf } from '../document/status.ts';
import { checkFields } from './check-fields.ts';
import type { Report } from './report.ts';

type Severity = AdrFinding['severity'];

/** Checks what an ADR tells about itself. */
export function checkHeader(adr: Adr, helix: boolean, report: Report): void {
  for (const { severity, check, message, hint, location } of adr.frontMatter?.findings ?? []) {
    const { line = 1, column = 1 } = location ?? {};
    report(severity, { check, message, ...present({ hint }) }, { line, column });
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
  const broken = adr.frontMatter?.findings.some(({ severity }) => severity === 'error') === true;
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

const ALLOWED = 'Proposed, Accepted, Implemented, Superseded, Rejected';

function checkStatus(adr: Adr, helix: boolean, report: Report): void {
  const read = adr.statuses.map((told) => ({ told, meaning: statusOf(told.value) }));
  for (const { told, meaning } of read) {
    const listed =
      meaning !== undefined && meaning !== 'deprecated' && !/^\W*(?:draft|pending|done)\b/i.test(told.value);
    if (meaning !== undefined && (!helix || listed)) continue;
    const message = told.value === '' ? 'the status is empty' : `unknown status "${oneLine(told.value, 60)}"`;
    report(helix ? 'error' : 'warning', { check: 'invalid-status', message, hint: `use one of: ${ALLOWED}` }, told);
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
