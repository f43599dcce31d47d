import type { Folder } from './document.ts';
import { replaceField, replaceSection, swap } from './edit.ts';
import type { Expected, FolderOperator } from './operator.ts';

const FILES = {
  oneQueue: 'docs/adr/001-one-queue.md',
  orderIds: 'docs/adr/002-order-ids.md',
  events: 'docs/adr/003-parcel-events.md',
  perShop: 'docs/adr/004-queue-per-shop.md',
  returns: 'docs/adr/005-returns.md',
} as const;

function edited(folder: Folder, file: keyof typeof FILES, change: (text: string) => string): Folder {
  const path = FILES[file];
  return { ...folder, [path]: change(folder[path] ?? '') };
}

/** An operator on one field of one file. */
function field(
  name: string,
  [file, key, written]: readonly [keyof typeof FILES, string, string],
  expected?: Expected,
): FolderOperator {
  return {
    name,
    apply: (folder) => edited(folder, file, (text) => replaceField(text, key, written)),
    ...(expected && { expected }),
  };
}

function error(check: string): Expected {
  return { checks: [check], severity: 'error' };
}

function warning(check: string): Expected {
  return { checks: [check], severity: 'warning' };
}

function nygard(title: string, status: string): string {
  return `# ${title}\n\n## Status\n\n${status}\n\n## Context\n\nThe warehouse closes at six, and parcels that come later wait outside.\n\n## Decision\n\nA locker takes parcels at night, and the driver has the key to it.\n\n## Consequences\n\nNothing is stolen any more, and the driver has one more key.\n`;
}

/** What breaks between files. */
export const BREAKING_FOLDER: readonly FolderOperator[] = [
  {
    name: 'two files have the same id',
    apply: (folder) => edited(folder, 'returns', (text) => text.replaceAll(/(adr_id: "|# ADR-)005/g, '$1003')),
    expected: error('duplicate-id'),
  },
  {
    name: 'two files have the same number in their titles only',
    apply: (folder) => ({
      ...folder,
      'docs/adr/006-locker.md': nygard('6. A locker at the door', 'Accepted'),
      'docs/adr/006-key.md': nygard('6. A key for the driver', 'Accepted'),
    }),
    expected: error('duplicate-id'),
  },
  field(
    'an ADR depends on one that is not there',
    ['events', 'depends_on', 'depends_on: ["002", "042"]'],
    error('dangling-reference'),
  ),
  field(
    'an ADR is related to one that is not there',
    ['events', 'related_to', 'related_to: ["042"]'],
    warning('dangling-reference'),
  ),
  field(
    'an ADR supersedes one that is not there',
    ['returns', 'depends_on', 'depends_on: ["003"]\nsupersedes: "042"'],
    error('dangling-reference'),
  ),
  {
    name: 'a link leads to an ADR that is not there',
    apply: (folder) => edited(folder, 'events', (text) => swap(text, 'ADR-002.', '[ADR-002](002-order-numbers.md).')),
    expected: warning('dangling-reference'),
  },
  field('an ADR depends on itself', ['returns', 'depends_on', 'depends_on: ["003", "005"]'], error('self-reference')),
  field(
    'an ADR is superseded by itself',
    ['oneQueue', 'superseded_by', 'superseded_by: "001"'],
    error('self-reference'),
  ),
  field('two ADRs depend on each other', ['orderIds', 'depends_on', 'depends_on: ["003"]'], error('cycle')),
  field('three ADRs depend on each other in a ring', ['orderIds', 'depends_on', 'depends_on: ["005"]'], error('cycle')),
  {
    name: 'an ADR is superseded, and nobody says by what',
    apply: (folder) =>
      edited(
        edited(folder, 'oneQueue', (text) => replaceField(text, 'superseded_by', '')),
        'perShop',
        (text) => replaceField(text, 'supersedes', '').replace('This replaces what ADR-001 decided; ids', 'Ids'),
      ),
    expected: warning('superseded-without-successor'),
  },
  {
    name: 'a successor does not say what it supersedes',
    apply: (folder) =>
      edited(folder, 'perShop', (text) =>
        replaceField(text, 'supersedes', '').replace('This replaces what ADR-001 decided; ids', 'Ids'),
      ),
    expected: warning('supersession-not-reciprocal'),
  },
  {
    name: 'an ADR does not say that it was superseded',
    apply: (folder) =>
      edited(folder, 'oneQueue', (text) =>
        replaceField(replaceField(text, 'superseded_by', ''), 'status', 'status: Accepted'),
      ),
    expected: warning('supersession-not-reciprocal'),
  },
  field(
    'an ADR with a successor is still accepted',
    ['oneQueue', 'status', 'status: Accepted'],
    warning('supersession-not-reciprocal'),
  ),
  {
    name: 'an ADR in force depends on a superseded one',
    apply: (folder) =>
      edited(folder, 'returns', (text) =>
        swap(replaceField(text, 'depends_on', 'depends_on: ["001"]'), 'as ADR-003', 'as ADR-001'),
      ),
    expected: warning('depends-on-superseded'),
  },
  {
    name: 'a status in words names a successor that is not there',
    apply: (folder) => ({
      ...folder,
      'docs/adr/006-locker.md': nygard(
        '6. A locker at the door',
        'Superseded by [8. A night shift](008-night-shift.md)',
      ),
    }),
    expected: { checks: ['dangling-reference'] },
  },
];

/** What changes nothing between files. */
export const HARMLESS_FOLDER: readonly FolderOperator[] = [
  field('ids in references have a prefix', ['events', 'depends_on', 'depends_on: ["ADR-002"]']),
  field('ids in references have no quotes', ['events', 'depends_on', 'depends_on: [002]']),
  field('ids in references have no padding', ['events', 'depends_on', 'depends_on: ["2"]']),
  field('references are files', ['events', 'depends_on', 'depends_on: [002-order-ids.md]']),
  field('references stand in a block', ['events', 'depends_on', 'depends_on:\n  - "002" # who makes ids']),
  field('the successor is written with its prefix', ['oneQueue', 'superseded_by', 'superseded_by: ADR-004']),
  field('an ADR depends on another path to the same one', [
    'returns',
    'depends_on',
    'depends_on: ["003"]\nrelated_to: ["002"]',
  ]),
  {
    name: 'the successor is told by the status instead of a field',
    apply: (folder) =>
      edited(folder, 'oneQueue', (text) =>
        replaceField(replaceField(text, 'superseded_by', ''), 'status', 'status: Superseded by ADR-004'),
      ),
  },
  {
    name: 'files lie in another order and have other line ends',
    apply: (folder) =>
      Object.fromEntries(
        Object.entries(folder)
          .toReversed()
          .map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]),
      ),
  },
  {
    name: 'a page that is no ADR lies beside the ADRs',
    apply: (folder) => ({
      ...folder,
      'docs/adr/how-we-decide.md':
        '# How we decide\n\nWe meet on Tuesdays. Whoever wants a decision brings a page, and we talk until nobody objects.\n\n## Who comes\n\nEverybody who will have to live with it.\n',
    }),
  },
  {
    name: 'an ADR of another form joins, which supersedes nothing',
    apply: (folder) => ({ ...folder, 'docs/adr/006-locker.md': nygard('6. A locker at the door', 'Accepted') }),
  },
  {
    name: 'links lead to ADRs that are there',
    apply: (folder) =>
      edited(folder, 'events', (text) => swap(text, 'ADR-002.', '[ADR-002](002-order-ids.md#decision).')),
  },
  {
    name: 'a chain of successors has three links',
    apply: (folder) => ({
      ...edited(folder, 'perShop', (text) => replaceField(text, 'status', 'status: Superseded\nsuperseded_by: "006"')),
      'docs/adr/006-locker.md': nygard('6. A locker at the door', 'Accepted, supersedes ADR-004'),
    }),
  },
  {
    name: 'a proposed ADR announces whom it would supersede',
    apply: (folder) => ({
      ...folder,
      'docs/adr/006-locker.md': replaceSection(
        nygard('6. A locker at the door', 'Proposed').replace('\n## Status', '\nSupersedes: ADR-003\n\n## Status'),
        'Consequences',
        '## Consequences\n\nThe driver has one more key, and the events change.',
      ),
    }),
  },
];
