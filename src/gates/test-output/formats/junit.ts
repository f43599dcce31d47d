import { describeFailure } from '../report/describe-failure.ts';
import { type FailedTest, MAX_FAILED, type ReadTests, reportOf } from '../report/test-report.ts';
import { scanTags, type Tag } from './scan-tags.ts';

type Case = { readonly tag: Tag; skipped: boolean; failure?: { readonly message: string; readonly text: string } };

/** JUnit XML, wherever it begins in the output. Test cases are counted, not what the suites claim to hold. */
export const readJUnit: ReadTests = (lines) => {
  const start = lines.findIndex((line) => line.includes('<testsuite'));
  if (start === -1) return undefined;
  const cases = casesOf(lines.slice(start).join('\n'));
  const failed = cases.filter((one) => one.failure !== undefined && !one.skipped);
  const count = {
    total: cases.length,
    skipped: cases.filter(({ skipped }) => skipped).length,
    failures: failed.length,
  };
  const passed = cases.filter((one) => one.failure === undefined && !one.skipped).map(nameOf);
  return reportOf([count], failed.slice(0, MAX_FAILED).map(failedTest), passed);
};

function casesOf(text: string): Case[] {
  const cases = new Map<string, Case>();
  let current: Case | undefined;
  for (const tag of scanTags(text)) {
    if (tag.name === 'testcase') {
      current = tag.closes ? undefined : { tag, skipped: false };
      if (current) cases.set(identity(tag, cases.size), current);
      if (tag.empty) current = undefined;
    } else if (current !== undefined && !tag.closes) {
      if (tag.name === 'skipped') current.skipped = true;
      if (tag.name === 'failure' || tag.name === 'error') {
        current.failure ??= { message: tag.attributes.get('message') ?? '', text: tag.text() };
      }
    }
  }
  return [...cases.values()];
}

/** A case that took a measurable time is the same case when it is printed again. */
function identity({ attributes }: Tag, position: number): string {
  const time = attributes.get('time') ?? '';
  const known = ['file', 'classname', 'name'].map((key) => attributes.get(key) ?? '');
  return Number(time) > 0 ? [...known, time].join('\n') : String(position);
}

function nameOf({ tag: { attributes } }: Case): string {
  const file = attributes.get('file');
  const group = attributes.get('classname');
  const name = attributes.get('name') ?? 'a test without a name';
  const parts = [file, group === 'test' ? undefined : group, file?.endsWith(`/${name}`) ? undefined : name];
  return [...new Set(parts.filter((part) => part !== undefined && part !== ''))].join(' > ');
}

function failedTest(one: Case): FailedTest {
  const { attributes } = one.tag;
  const { failure } = one;
  const file = attributes.get('file');
  const { message, places } = describeFailure((failure?.text ?? '').split('\n'));
  const line = Number(attributes.get('line'));
  const declared = file !== undefined && Number.isInteger(line) && line > 0 ? [{ file, line }] : [];
  return {
    name: nameOf(one),
    message: failure?.message || message,
    places: [...places, ...declared],
  };
}
