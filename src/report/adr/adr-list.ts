import type {
  AdrFacts,
  AdrForDocument,
  AdrListDocument,
  AdrShowDocument,
} from '../../domain/documents/adr-list-documents.ts';
import { oneLine } from '../../text/sanitise.ts';
import { columns, pad } from '../words/columns.ts';
import { type Canvas, type Part, renderLine, type Style } from '../words/paint.ts';

const STYLES: Readonly<Record<string, Style>> = {
  accepted: 'good',
  implemented: 'good',
  proposed: 'info',
  superseded: 'dim',
  deprecated: 'dim',
  rejected: 'dim',
};

/** ADRs as a table for people. */
export function renderAdrList({ adrs, unreadable }: AdrListDocument, canvas: Canvas): string {
  const width = Math.max(0, ...adrs.map((adr) => columns(idOf(adr))));
  const rows = adrs.map((adr) =>
    renderLine(
      [
        pad(idOf(adr), Math.min(width, 24)),
        '  ',
        statusPart(adr, 12),
        '  ',
        pad(oneLine(adr.date ?? '', 10), 10),
        '  ',
        oneLine(adr.title, 200),
        ...(adr.supersededBy.length > 0 ? [['dim', ` → ${adr.supersededBy.map(shortName).join(', ')}`] as const] : []),
      ],
      canvas,
    ),
  );
  const broken = unreadable.map(
    ({ path, message }) => `${canvas.paint('bad', oneLine(path, 200))}  ${oneLine(message)}`,
  );
  return [...rows, ...broken].map((line) => `${line}\n`).join('');
}

function idOf({ id, path }: AdrFacts): string {
  return oneLine(id ?? shortName(path), 60);
}

function shortName(path: string): string {
  return oneLine(path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:md|markdown)$/i, ''), 60);
}

function statusPart({ status, statusText }: AdrFacts, width: number): Part {
  const text = pad(status ?? oneLine(statusText ?? '–', 20), width);
  const style = STYLES[status ?? ''];
  return style === undefined ? text : [style, text];
}

const WORDS = {
  depends_on: 'depends on',
  related_to: 'related to',
  supersedes: 'supersedes',
  superseded_by: 'superseded by',
} as const;
const FROM = {
  depends_on: 'needed by',
  related_to: 'related to',
  supersedes: 'superseded by',
  superseded_by: 'supersedes',
} as const;

/** One ADR with its sections, whom it names and who names it. */
export function renderAdrShow(
  { adr, sections, references, referencedBy, files }: AdrShowDocument,
  canvas: Canvas,
): string {
  const field = (name: string, ...parts: Part[]): string => renderLine([['dim', pad(name, 15)], ...parts], canvas);
  const governed = [...files.create, ...files.modify, ...files.docs];
  return [
    renderLine([['strong', oneLine(adr.id === undefined ? adr.title : `${adr.id}  ${adr.title}`, 300)]], canvas),
    field('file', oneLine(adr.path, 300)),
    field('status', statusPart(adr, 20)),
    ...(adr.date === undefined ? [] : [field('date', oneLine(adr.date, 60))]),
    ...references.map(({ kind, name, path, title, line }) =>
      field(
        WORDS[kind],
        path === undefined ? ['bad', `${oneLine(name, 80)} (there is none; line ${line})`] : named(path, title),
      ),
    ),
    ...referencedBy
      .filter(({ kind, path }) => !references.some((each) => each.path === path && WORDS[each.kind] === FROM[kind]))
      .map(({ kind, path, title }) => field(FROM[kind], named(path, title))),
    ...governed.map((path, index) => field(index === 0 ? 'governs' : '', oneLine(path, 300))),
    ...sections.map(({ title, level, line }, index) =>
      field(index === 0 ? 'sections' : '', `${'  '.repeat(Math.min(level, 6) - 1)}${oneLine(title, 200)}`, [
        'dim',
        `  :${line}`,
      ]),
    ),
    '',
  ].join('\n');
}

function named(path: string, title: string | undefined): string {
  return `${shortName(path)}${title === undefined ? '' : `  ${oneLine(title, 120)}`}`;
}

type Governing = AdrForDocument['files'][number]['adrs'][number];

/** Which ADRs govern which file. */
export function renderAdrFor({ files }: AdrForDocument, canvas: Canvas): string {
  const blocks = files.map(({ path, adrs }) => {
    const lines = [...Map.groupBy(adrs, ({ adr }) => adr).entries()].map(([adr, listed]) =>
      governingLine(adr, listed, canvas),
    );
    return [
      renderLine([['strong', oneLine(path, 300)]], canvas),
      ...(lines.length > 0 ? lines : ['  no ADR lists it']),
    ];
  });
  return `${blocks.flat().join('\n')}\n`;
}

function governingLine(adr: AdrFacts, listed: readonly Governing[], canvas: Canvas): string {
  const lists = Map.groupBy(listed, ({ as }) => as).entries();
  const told = [...lists].map(([as, all]) => `${as}: ${all.map(({ entry }) => oneLine(entry, 120)).join(', ')}`);
  return renderLine(
    [
      '  ',
      pad(idOf(adr), 12),
      ' ',
      statusPart(adr, 12),
      ' ',
      oneLine(adr.title, 120),
      ['dim', `  ${told.join('; ')}  ${oneLine(adr.path, 200)}`],
    ],
    canvas,
  );
}
