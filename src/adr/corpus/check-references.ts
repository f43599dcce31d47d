import { didYouMean } from '../../text/did-you-mean.ts';
import type { Adr, AdrFinding, Reference } from '../document/adr.ts';
import { fileNumber } from '../document/adr-names.ts';
import { type AdrLookup, linkedPath } from './adr-lookup.ts';
import type { Corpus } from './corpus.ts';
import { corpusFinding } from './corpus-finding.ts';
import { fileName, folderOf, isTemplate, numberOf } from './own-id.ts';
import type { Relation } from './relations.ts';

const WORDS: Readonly<Record<Reference['kind'], string>> = {
  depends_on: 'depends on',
  related_to: 'is related to',
  supersedes: 'supersedes',
  superseded_by: 'is superseded by',
};

/** What an ADR refers to exists, and is not itself. */
export function checkReferences(corpus: Corpus, lookup: AdrLookup): AdrFinding[] {
  return corpus.adrs.flatMap((adr) => {
    const relations = corpus.relations.get(adr) ?? [];
    const named = relations.flatMap((relation) => referenceFinding(relation, corpus));
    const told = new Set(relations.filter(({ dangling }) => dangling).map(({ reference }) => reference.line));
    return [...named, ...(isTemplate(adr.path) ? [] : deadLinks(adr, { corpus, lookup, told }))];
  });
}

function referenceFinding({ from, to, reference, name, dangling }: Relation, corpus: Corpus): AdrFinding[] {
  const shown = name.slice(0, 80);
  if (to === from) {
    const message = `this ADR says that it ${WORDS[reference.kind]} itself (${shown})`;
    return [
      corpusFinding(from, reference, {
        severity: 'error',
        check: 'self-reference',
        message,
        hint: 'name another ADR, or drop it',
      }),
    ];
  }
  if (!dangling) return [];
  const severity = corpus.complete && reference.kind !== 'related_to' ? 'error' : 'warning';
  const called =
    reference.target === undefined
      ? numberOf(name) === undefined
        ? shown
        : `ADR-${shown}`
      : fileName(reference.target);
  const message = `this ADR ${WORDS[reference.kind]} ${called.slice(0, 120)}, which is not in its folder`;
  const hint = corpus.complete ? nearest(shown, from, corpus) : 'check it together with the ADRs it refers to';
  return [corpusFinding(from, reference, { severity, check: 'dangling-reference', message, hint })];
}

function nearest(name: string, from: Adr, { all }: Corpus): string {
  const correct = 'correct the id, or add the ADR that is missing';
  if (numberOf(name) !== undefined || all.length > 40) return correct;
  const folder = folderOf(from.path);
  const near = didYouMean(
    name,
    all.filter(({ path }) => folderOf(path) === folder).map(({ path }) => fileName(path)),
  );
  return near === undefined ? correct : `did you mean "${near}"?`;
}

const LINK = /\]\(\s*<?([^()\s<>]{1,300}\.(?:md|markdown))(?:#[^()\s<>]{0,200})?>?(?:\s+["'(][^\n]{0,200})?\s*\)/gi;

type Links = { readonly corpus: Corpus; readonly lookup: AdrLookup; readonly told: ReadonlySet<number> };

/** Links to what looks like an ADR of the same folder and is not there. */
function deadLinks(adr: Adr, { corpus, lookup, told }: Links): AdrFinding[] {
  const findings: AdrFinding[] = [];
  const seen = new Set<string>();
  const folder = folderOf(linkedPath(fileName(adr.path), adr.path) ?? '');
  for (let index = 0; index < adr.prose.length; index += 1) {
    const text = adr.prose[index] ?? '';
    if (!text.includes('](') || told.has(index + 1)) continue;
    for (const { 1: target = '', index: at } of text.matchAll(LINK)) {
      const path = linkedPath(target, adr.path);
      if (path === undefined || seen.has(path) || folderOf(path) !== folder || isTemplate(path)) continue;
      if (!isAdrName(fileName(path)) || lookup.byLink(target, adr.path) !== undefined) continue;
      seen.add(path);
      const message = `the link leads to ${fileName(path)}, which is not in the folder`;
      const hint = nearest(fileName(path), adr, corpus);
      const place = { line: index + 1, column: at + text.slice(at).indexOf(target) + 1 };
      findings.push(corpusFinding(adr, place, { severity: 'warning', check: 'dangling-reference', message, hint }));
    }
  }
  return findings;
}

function isAdrName(name: string): boolean {
  return fileNumber(name) !== undefined || /^\d{4}-?\d{2}-?\d{2}(?!\d)/.test(name);
}
