import { didYouMean } from '../../text/did-you-mean.ts';
import { isRecord } from '../../text/is-record.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { FrontMatter, Place } from '../document/adr.ts';
import type { Report } from './report.ts';

/** The values HELIX' own header knows; everything else in it is free. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  project_type: ['helix_internal', 'external'],
  component_type: ['TOOL', 'NODE', 'AGENT', 'PROCESS', 'SERVICE', 'SKILL', 'PROMPT', 'CONFIG', 'DOCS', 'MISC'],
  classification: ['NEW', 'UPDATE', 'FIX', 'REFACTOR', 'DEPRECATE', 'ENHANCEMENT'],
  change_scope: ['major', 'minor', 'config', 'docs', 'hotfix'],
};
const LISTS = ['skills', 'depends_on', 'related_to', 'files.create', 'files.modify', 'files.docs'];
const FIELDS = [
  ...Object.keys(VALUES),
  'adr_id title status date domain language skills files depends_on related_to supersedes superseded_by concept_waivers meta'.split(
    ' ',
  ),
].flat();

/** Checks the fields of HELIX's own header: known values, the right shape, no misspelt names. */
export function checkFields(frontMatter: FrontMatter, report: Report): void {
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
  for (const [field, values] of Object.entries(VALUES)) {
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
