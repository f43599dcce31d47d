/** The sections HELIX knows by meaning, whatever they are called. */
export type SectionKind =
  | 'context'
  | 'decision'
  | 'consequences'
  | 'options'
  | 'drivers'
  | 'rationale'
  | 'approach'
  | 'implementation'
  | 'documentation'
  | 'acceptance'
  | 'migration'
  | 'rollback'
  | 'risks'
  | 'security'
  | 'breaking'
  | 'what'
  | 'why'
  | 'status'
  | 'date'
  | 'summary'
  | 'references'
  | 'meta'
  | 'questions';

/**
 * What each kind is called in English, German and French. A name is a whole heading, with blanks or hyphens; `name…` is the beginning
 * of one and `…name` its end, at whole words.
 */
const NAMES: Readonly<Record<SectionKind, string>> = {
  context: `context… | the context | background… | problem | the problem | problem statement | problem description | problem definition |
    motivation… | introduction | intro | issue | the issue | situation | current situation | current state | business context | forces |
    user story | use case | use cases | requirements | goals | objective | objectives | purpose | abstract |
    problem and context | problem & context | problem/context | problem statement and context | problem and background | technical context | project context |
    kontext… | ausgangslage | ausgangssituation | einleitung | problem und kontext | problemstellung und kontext | hintergrund… | problemstellung | problembeschreibung | anlass | fragestellung | motivation und kontext |
    contexte… | le contexte | problématique | problème | le problème | énoncé du problème | énoncé du problème et contexte | situation actuelle`,
  decision: `decision… | decisions | …decision | …decisions | …decision outcome | …proposal | …recommendations | what's proposed |
    what is proposed | what we propose | what we decided | what was decided | the decision | our decision | decision outcome… | decision result | core decision | proposal | proposals |
    proposition | the proposal | proposed solution | proposed decision | proposed design | proposed approach | solution | the solution | solutions |
    chosen option | chosen solution | chosen approach | selected option | selected solution | decisions made | proposed change | proposed changes | preferred option | recommendation | recommendations | recommended option | resolution |
    outcome | conclusion | verdict | ruling | strategy | design | detailed design | approach |
    entscheidung… | …entscheidung | entscheidungen | entscheid | entscheidungsergebnis | architekturentscheidung | architekturentscheidungen | lösungsansatz | was wir vorschlagen | beschluss | entschluss | lösung | lösungsvorschlag | gewählte lösung | gewählte option | empfehlung | ergebnis der entscheidung |
    décision… | …décision | décisions | la décision | solution choisie | solution proposée | résultat de la décision | solution retenue | option retenue | choix | choix retenu | le choix | recommandation | proposition de solution`,
  consequences: `consequences… | consequence | positive consequences | negative consequences | implications | impact | impacts | outcomes | results |
    trade offs | tradeoffs | pros and cons | pros & cons | advantages and disadvantages | resulting context | effects |
    konsequenzen… | konsequenz | auswirkungen | folgen | vor- und nachteile | vorteile und nachteile | abwägung |
    conséquences… | conséquence | implications et conséquences | avantages et inconvénients`,
  options: `options | options considered | considered options… | considered alternatives | alternatives | alternatives considered… |
    alternative approaches | alternative solutions | other options… | rejected alternatives | rejected options | pros and cons of the options… |
    alternativen | betrachtete alternativen | betrachtete optionen | optionen | verworfene alternativen | geprüfte alternativen | lösungsoptionen |
    alternatives envisagées | options envisagées | options considérées | solutions envisagées`,
  drivers: `decision drivers… | drivers | decision criteria | criteria | constraints | quality attributes |
    entscheidungstreiber | treiber | entscheidungskriterien | einflussfaktoren | facteurs de décision | critères de décision`,
  rationale: `rationale | discussion | reasoning | reasons | justification | why this decision | reason | argument | arguments |
    begründung | begründungen | diskussion | gründe | justification de la décision | raisons`,
  approach:
    'approach | how | implementation approach | vorgehen | vorgehensweise | umsetzungsansatz | approche | démarche | comment',
  implementation: `implementation… | implementation plan | implementation details | implementation notes | technical implementation | realization | realisation |
    technische implementation… | technische implementierung… | technische umsetzung… | implementierung… | umsetzung… | realisierung… |
    implémentation… | mise en œuvre… | mise en oeuvre… | réalisation…`,
  documentation: `documentation… | docs | documentation updates | documentation impact | documentation changes |
    dokumentation… | dokumentationsänderungen | zu aktualisierende dokumente | zu aktualisierende dokumentation`,
  acceptance: `acceptance criteria… | acceptance | acceptance tests | confirmation | validation | verification | definition of done | compliance |
    success criteria | done when | akzeptanzkriterien… | abnahmekriterien… | abnahme | erfolgskriterien | prüfkriterien | fertig wenn |
    critères d'acceptation… | critères de validation | critères d'acceptance | définition de fini`,
  migration: `migration… | migrations | migration plan… | migrations plan | migration strategy | migration path | migration guide | migration steps | data migration |
    upgrade | upgrade guide… | upgrade path… | upgrade plan… | upgrade steps | upgrade instructions | …rollout | rollout plan… | rollout strategy | roll out plan |
    …roll out | …roll-out | rolling out | roll out strategy | migrating… | go live | go live plan | transition | transition plan… | transition strategy | …cutover | cutover plan… | …cut over | …cut-over | cut over plan | adoption plan | deployment plan | release plan | how to migrate | how to upgrade |
    migrationsplan… | migrationsstrategie | migrationspfad | migrationsschritte | migrationsleitfaden | migration und rollback | umstellung | umstieg | migrieren | schrittweise einführung | stufenweise einführung |
    umstellungsplan | einführungsplan | einführung | überführung | übergang | übergangsplan | upgrade anleitung | upgrade leitfaden | rollout-strategie | ablösung | ablöseplan |
    plan de migration… | stratégie de migration | guide de migration | plan de transition | plan de bascule | plan de déploiement | guide de mise à niveau`,
  rollback: `rollback… | roll back plan | revert plan | backout plan | fallback plan | recovery plan | undo |
    rollback-strategie | rückfallplan | rückfallstrategie | rückbau | rückabwicklung | zurückrollen | notfallplan |
    plan de retour arrière | retour arrière | plan de repli`,
  risks: `risks… | risk | risk assessment | risk analysis | risks and mitigations | known risks | threats |
    risiken… | risiko | risikoanalyse | risikobewertung | risiken und maßnahmen | risiken und gegenmaßnahmen | nachteile / risiken |
    risques… | analyse des risques`,
  security: `security… | security considerations | security and privacy | security and privacy considerations | privacy | threat model | security requirements |
    sicherheit… | sicherheitsaspekte | sicherheitsanforderungen | datenschutz | datenschutz und sicherheit | bedrohungsmodell | it-sicherheit |
    sécurité… | confidentialité`,
  breaking: `breaking changes… | breaking change | backwards compatibility | backward compatibility | compatibility | incompatible changes |
    breaking changes und kompatibilität | inkompatible änderungen | abwärtskompatibilität | rückwärtskompatibilität | kompatibilität |
    changements incompatibles | rétrocompatibilité | compatibilité`,
  what: 'what… | was | quoi',
  why: 'why… | warum | weshalb | pourquoi',
  status: 'status | state | stand | statut | état',
  date: 'date | datum',
  summary:
    'summary | tl;dr | tldr | overview | zusammenfassung | überblick | kurzfassung | résumé | synthèse | en bref',
  references: `references | reference | links | related | related decisions | related adrs | see also | further reading | more information | resources | sources | bibliography |
    referenzen | verweise | quellen | literatur | weiterführende informationen | siehe auch | verwandte entscheidungen | références | liens | voir aussi`,
  meta: `meta | metadata | changelog | change log | history | revision history | authors | author | reviewers | deciders | decision makers | participants | tags | notes |
    metadaten | änderungshistorie | historie | autoren | beteiligte | notizen | métadonnées | historique | auteurs | table of contents | contents | inhaltsverzeichnis | inhalt | sommaire`,
  questions: `questions | open questions | open issues | open points | unresolved questions | outstanding questions | todo |
    fragen | offene fragen | offene punkte | ungeklärte fragen | questions ouvertes | points ouverts`,
};

type Part = { readonly words: string; readonly kind: SectionKind };
type Names = {
  readonly whole: ReadonlyMap<string, readonly SectionKind[]>;
  /** By their first word. */
  readonly beginnings: ReadonlyMap<string, readonly Part[]>;
  /** By their last word. */
  readonly endings: ReadonlyMap<string, readonly Part[]>;
};

const KNOWN = readNames();

function readNames(): Names {
  const names = {
    whole: new Map<string, SectionKind[]>(),
    beginnings: new Map<string, Part[]>(),
    endings: new Map<string, Part[]>(),
  };
  for (const [kind, all] of Object.entries(NAMES) as [SectionKind, string][]) {
    for (const each of all.split('|')) {
      const name = each.trim();
      const words = name.replace('…', '');
      const kinds = listed(names.whole, unhyphened(words));
      if (!kinds.includes(kind)) kinds.push(kind);
      if (name.endsWith('…')) listed(names.beginnings, firstWord(words)).push({ words, kind });
      else if (name.startsWith('…')) listed(names.endings, lastWord(words)).push({ words, kind });
    }
  }
  return names;
}

function listed<T>(lists: Map<string, T[]>, key: string): T[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list: T[] = [];
  lists.set(key, list);
  return list;
}

const NONE: readonly SectionKind[] = [];
const MOST_REMEMBERED = 10_000;
const remembered = new Map<string, readonly SectionKind[]>();

/** What a section is about by its name, as `sectionName` gives it; a name can mean several kinds, or none. */
export function kindsOf(name: string): readonly SectionKind[] {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const kinds = findKinds(name);
  remembered.set(name, kinds);
  return kinds;
}

function findKinds(name: string): readonly SectionKind[] {
  const whole = KNOWN.whole.get(unhyphened(name));
  if (whole !== undefined) return whole;
  if (name.startsWith('decision record')) return NONE;
  const beginnings = KNOWN.beginnings.get(firstWord(name)) ?? [];
  const endings = KNOWN.endings.get(lastWord(name)) ?? [];
  if (beginnings.length === 0 && endings.length === 0) return NONE;
  const kinds = [
    ...beginnings.filter(({ words }) => name.startsWith(words) && !isWord(name.charAt(words.length))),
    ...endings.filter(({ words }) => name.endsWith(words) && !isWord(name.charAt(name.length - words.length - 1))),
  ].map(({ kind }) => kind);
  return [...new Set(kinds)];
}

/** A name with blanks for its hyphens: "roll-out" is "roll out". */
export function unhyphened(name: string): string {
  return name.replace(/[-\u2010\u2011]/g, ' ');
}

function firstWord(name: string): string {
  return /^[\p{L}\p{N}-]+/u.exec(name)?.[0] ?? '';
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(' ') + 1);
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}-]/u.test(character);
}

const NUMBER = /^(?:(?:\d+(?:\.\d+)*|[ivxlc]{1,5}|[a-z])[.)]\s+|\d+(?:\.\d+)*\s+|§+\s*\d+(?:\.\d+)*\s*)/iu;
const DECORATION = /^[\p{M}\p{Cf}\p{P}\p{S}\s]+|[\p{So}\p{Cf}\p{M}\s:;.,!?#*_~`-]+$/gu;

/** Signs with a backslash before them are no markup: while that is taken away they stand here, where no text is. */
const LITERAL = 0xe100;

/** Nobody writes longer headings, and taking markup from them would take its time. */
const LONGEST_HEADING = 500;

/** A heading on one line without its markup: links, emphasis, code, comments, `{#id}` and closing hashes. */
export function plainHeading(text: string): string {
  if (!/[<>*_`[\]{}\\!&\n]/.test(text)) return text.trim();
  const line = text.includes('\n')
    ? text
        .split('\n')
        .map((each) => each.trim())
        .join(' ')
    : text;
  if (line.length > LONGEST_HEADING) return line.trim();
  return line
    .replaceAll('&nbsp;', ' ')
    .replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) => String.fromCharCode(LITERAL + sign.charCodeAt(0)))
    .replace(/<!--.*?-->/gs, ' ')
    .replace(/<[^<>]*>/g, '')
    .replace(/\{#[^}]*\}\s*$/, '')
    .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/(\*\*|__|\*|`|~~)(.+?)\1/g, '$2')
    .replace(/[\ue121-\ue17e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - LITERAL))
    .trim();
}

/** Most headings are a word or two, with nothing to take away. */
const PLAIN = /^(?:[A-Z]?[a-z]{2,}(?: [A-Za-z]?[a-z]+)*|[A-Z]{2,})$/;

const knownTitles = new Map<string, string>();

/** A heading for comparing: "## 2. **Kontext** (optional):" is "kontext". */
export function sectionName(title: string): string {
  if (PLAIN.test(title)) return title.toLowerCase();
  const known = knownTitles.get(title);
  if (known !== undefined) return known;
  if (knownTitles.size >= MOST_REMEMBERED) knownTitles.clear();
  const name = findName(title);
  knownTitles.set(title, name);
  return name;
}

function undecorated(text: string): string {
  return /^[a-z0-9].*[a-z0-9)\]]$/.test(text) ? text : text.replace(DECORATION, '');
}

function findName(title: string): string {
  const plain = plainHeading(title.slice(0, LONGEST_HEADING)).normalize('NFC').replaceAll('’', "'").toLowerCase();
  const bare = undecorated(undecorated(plain).replace(NUMBER, ''));
  const unbracketed = /[)\]]$/.test(bare) ? undecorated(bare.replace(/\s*[([][^)\]]*[)\]]$/u, '')) : bare;
  return (unbracketed === '' ? bare : unbracketed).replace(/\s+/gu, ' ');
}
