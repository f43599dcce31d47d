import type {
  CalibrationDocument,
  CalibrationEntry,
  MeasuredRate,
} from '../../domain/documents/calibration-document.ts';
import { oneLine } from '../../text/sanitise.ts';
import { columns, pad } from '../words/columns.ts';
import { count } from '../words/count.ts';
import type { Paint } from '../words/paint.ts';

/** What was measured of a judge, for people. */
export function renderCalibration(document: CalibrationDocument, paint: Paint): string {
  const { checks, overall, stopped, simulated, skipped } = document;
  const rows = [
    ...checks.map(({ check, ...entry }) => row(check, entry)),
    ...overall.map((entry) => row('all', entry)),
  ];
  return [
    ...heading(document, paint),
    ...(simulated ? [paint('warn', SIMULATED)] : []),
    '',
    ...(rows.length === 0 ? ['no judge answered, so nothing was measured'] : table([HEAD, ...rows], paint)),
    '',
    ...overall.flatMap((entry) => aims(entry, document)),
    ...(skipped > 0 ? [paint('dim', `${count(skipped, 'time')} a defect did not apply to a document`)] : []),
    ...(stopped === undefined ? [] : [paint('warn', oneLine(stopped, 500))]),
    paint('dim', METHOD),
    '',
  ].join('\n');
}

const SIMULATED = 'The judges were simulated: this shows that the statistics work, and nothing about any model.';
const METHOD =
  'In brackets: 95 % intervals of Clopper and Pearson, each of which contains the true rate in at least 95 of 100 calibrations.';
const HEAD = ['check', 'model', 'missed', 'false negatives', 'alarms', 'false positives'];

function heading({ type, trials, interrupted, documents, seed, cost }: CalibrationDocument, paint: Paint): string[] {
  const cut = interrupted === 0 ? '' : `, ${interrupted} of them interrupted`;
  const unknown = cost.unknown === 0 ? '' : ` and ${count(cost.unknown, 'trial')} of unknown cost`;
  return [
    `${paint('strong', `approvals of type ${type}`)}: ${count(trials, 'trial')}${cut}, with ${count(documents.length, 'document')}`,
    paint('dim', `seed ${seed}, ${cost.usd.toFixed(2)} USD${unknown}`),
  ];
}

function row(check: string, entry: CalibrationEntry): string[] {
  const { model, planted, missed, falseNegative, clean, alarms, falsePositive } = entry;
  const [missedOf, alarmsOf] = [`${missed} of ${planted}`, `${alarms} of ${clean}`];
  return [check, oneLine(model, 60), missedOf, rateText(falseNegative), alarmsOf, rateText(falsePositive)];
}

function rateText({ rate, low, high }: MeasuredRate): string {
  return rate === undefined ? '–' : `${percent(rate)} (${percent(low)} to ${percent(high)})`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function table(rows: readonly (readonly string[])[], paint: Paint): string[] {
  const widths = HEAD.map((_, index) => Math.max(...rows.map((cells) => columns(cells[index] ?? ''))));
  const lines = rows.map((cells) =>
    cells
      .map((cell, index) => pad(cell, widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line, index) => (index === 0 ? paint('dim', line) : line));
}

/** An aim is met when the whole interval lies below it, and missed when all of it lies above. */
function aims({ model, falseNegative, falsePositive }: CalibrationEntry, { targets }: CalibrationDocument): string[] {
  const aim = (what: string, { low, high }: MeasuredRate, target: number) => {
    const known = high <= target ? 'met' : 'not known yet, it takes more trials';
    return `${oneLine(model, 60)}: ${what} below ${target * 100} %: ${low > target ? 'not met' : known}`;
  };
  return [
    aim('false negatives', falseNegative, targets.falseNegative),
    aim('false positives', falsePositive, targets.falsePositive),
  ];
}
