const FILLER = [
  'todo|tbd|tba|tbc|fixme|xxx|wip|n/?a|n\\.\\s?a\\.?|to be (?:done|defined|decided|determined|written|announced|completed|added)|coming soon|pending|fill (?:me|this) in',
  '(?:noch )?offen|folgt(?: noch)?|wird (?:noch )?(?:ergänzt|nachgereicht|definiert|ausgefüllt)|noch zu (?:klären|definieren|ergänzen|schreiben)|zu (?:klären|definieren|ergänzen)|platzhalter',
  'à (?:définir|compléter|faire|venir|préciser|rédiger)|placeholder|text here|your text(?: here)?|insert text(?: here)?|beispieltext|lorem ipsum.*',
].join('|');
const FILLER_LINE = new RegExp(`^(?:${FILLER})$`, 'u');
/** A note to oneself; without its colon it may be prose about notes. */
const NOTE_LINE = /^(?:todo|tbd|tba|tbc|fixme)\s*(?:[:–—]|-\s)/;
/** In capitals and short, it is one without a colon. */
const SHORT_NOTE = /^(?:TODO|TBD|TBA|TBC|FIXME)(?: [^\s.!?]+){0,5}$/;
/** What the templates of MADR leave when their slots are taken out. */
const FRAME_LINE =
  /^(?:chosen option|gewählte option|option retenue)\W*(?:,?\s*(?:because|weil|da|parce que|car)\W*)?$|^(?:good|bad|neutral|gut|schlecht),? (?:because|weil)\W*$/;

const SUBJECTS = 'context|problem|decision|change|issue|consequences|options|status|background|motivation|solution';
const SUBJECTS_IN_GERMAN =
  'kontext|problem|entscheidung|änderung|konsequenzen|auswirkungen|optionen|alternativen|status|hintergrund|motivation|lösung|ausgangslage|entschieden|gelöst|sich ändert|wir';
const SUBJECTS_IN_FRENCH =
  'contexte|problème|décision|changement|conséquences|options|statut|motivation|solution|situation';

/** Questions and orders that templates of ADRs put where the text belongs. */
const TEMPLATE_LINE = new RegExp(
  [
    "^what is the (?:issue|change|status) (?:that )?(?:we(?:’|')?re|we are|such as|motivating)\\b",
    '^what becomes easier or (?:more )?(?:difficult|harder)\\b.*$',
    "^the (?:issue|change) (?:motivating this decision|that we(?:’|')?re proposing)\\b",
    `^(?:describe|explain|summari[sz]e) (?:here |briefly |the |your |any |what |why |how |all )+(?:${SUBJECTS})(?: (?:here|below|briefly|that|which|why|how|you|we|and|or|of|for|in (?:detail|a few|one|your))\\b[^.!?,]{0,80})?$`,
    `^(?:list|state|outline|document) (?:here |briefly |the |your |any |all )+(?:${SUBJECTS})(?: (?:here|briefly|above|below))?$`,
    `^(?:hier |bitte )?(?:beschreiben sie|beschreibe|erläutern sie|erkläre) (?:hier |kurz |bitte |den |das |die |ihre? |warum |was )+(?:${SUBJECTS_IN_GERMAN})`,
    '^hier (?:bitte )?(?:den|das|die) .{1,60} (?:beschreiben|erläutern|eintragen|einfügen|ergänzen)$',
    `^(?:décrire|décrivez|expliquez?) (?:ici |brièvement |le |la |les |votre )+(?:${SUBJECTS_IN_FRENCH})[^.!?,]{0,80}$`,
  ].join('|'),
  'u',
);
/** What placeholders and template text start with; other lines need no closer look. */
const STARTS = new Set(
  `todo tbd tba tbc fixme xxx wip n na to coming pending fill noch offen folgt wird zu platzhalter à placeholder text your insert
  beispieltext lorem what the describe explain list state summarise summarize outline document chosen gewählte option good bad neutral gut schlecht hier bitte beschreiben beschreibe erläutern
  erkläre décrire décrivez explique expliquez`.split(/\s+/),
);
/** `{describe …}`, `[describe …]` that is no link, `<describe …>`: at least two words between brackets that templates use. */
const SLOT =
  /`[^`]*`|\{[^{}\n]{1,400}\}|<(?=[^<>/\n]*[\s…])[\p{L}][^<>\n=]{3,300}>|(?<!\])\[(?=[^\]\n]*\s)[^\][\n]{6,400}\](?![([:])/gu;

/** So many different sentences are no repetition. */
const SEVERAL = 4;

/** No template has longer ones, and looking for slots in them would take its time. */
const LONGEST_LINE = 2000;

/** Tells whether a text says nothing yet: empty, "TBD", a note to oneself, or what a template says. */
export function isPlaceholder(text: string): boolean {
  return text.split('\n').every((line) => isPlaceholderLine(line));
}

/**
 * Lines without placeholders, template text, padding and repetition, on one line: what is left is the author's. It need not
 * be read any further than `enough` characters.
 */
export function substance(lines: readonly string[], enough = Number.POSITIVE_INFINITY): string {
  const seen = new Set<string>();
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    if (length > enough) break;
    if (line === '' || isPlaceholderLine(line)) continue;
    for (const sentence of withoutSlots(line).split(/(?<=[.!?])\s+/)) {
      const words = realWords(sentence);
      const key = words.toLowerCase();
      if (words === '' || seen.has(key)) continue;
      seen.add(key);
      kept.push(words);
      length += words.length;
    }
  }
  const all = kept.join(' ');
  return kept.length < SEVERAL && isRepetition(all) ? '' : all;
}

function withoutSlots(line: string): string {
  if (line.length > LONGEST_LINE || !/[{[<]/.test(line)) return line;
  const outer = line.replace(SLOT, withoutSlot);
  // A slot can stand in another one.
  return outer.includes('{') ? outer.replace(SLOT, withoutSlot) : outer;
}

/** What stands in code is no slot. */
function withoutSlot(found: string): string {
  return found.startsWith('`') ? found : ' ';
}

/** How most lines start, which is quicker to find. */
const PLAIN_WORD = /^(?:[-*] )?([A-Za-z]+)[ ,.:;]/;
const FIRST_WORD = /^[^\p{L}\p{N}]*(?:\d+[.)]\s+[^\p{L}\p{N}]*)?([\p{L}\p{N}]+)/u;

function isPlaceholderLine(line: string): boolean {
  if (line.length > 400) return false;
  const [, first] = PLAIN_WORD.exec(line) ?? FIRST_WORD.exec(line) ?? [];
  if (first !== undefined && !STARTS.has(first.toLowerCase()) && !/[{[<]/.test(line)) return false;
  const bare = withoutSlots(line)
    .replace(/^[\s>|*_+#-]*(?:\d+[.)]\s+)?(?:\[[ xX]?\]\s+)?/, '')
    .replace(/[\s|*_.…:;!?,()[\]–—-]+$/u, '')
    .replace(/^[\s([*_]+/, '');
  if (!/[\p{L}\p{N}]/u.test(bare)) return !/!\[|\]\(/.test(line);
  const lower = bare.toLowerCase();
  const [start = ''] = /^[\p{L}\p{N}]+/u.exec(lower) ?? [];
  if (!STARTS.has(start)) return false;
  return (
    FILLER_LINE.test(lower) ||
    NOTE_LINE.test(lower) ||
    SHORT_NOTE.test(bare) ||
    TEMPLATE_LINE.test(lower) ||
    FRAME_LINE.test(lower)
  );
}

/** The words of a sentence, without runs of one character and the gaps that comments and tags leave. */
function realWords(sentence: string): string {
  const trimmed = sentence.trim();
  // In a row of a table gaps are empty cells, which repeat.
  const plain = trimmed.includes('   ') && !trimmed.startsWith('|') ? trimmed.replace(/ {3,}/g, ' ') : trimmed;
  if (/lorem ipsum|dolor sit amet/i.test(plain)) return '';
  if (!/([^\s.\d=_*|-])\1{3}/u.test(plain)) return plain;
  return plain
    .split(' ')
    .filter((word) => !/([^.\d=_*|-])\1{3}/u.test(word))
    .join(' ');
}

/** The same few words over and over. */
function isRepetition(text: string): boolean {
  const words = text.slice(0, 4000).toLowerCase().split(' ');
  if (words.length < 12) return false;
  const different = new Set<string>();
  return words.every((word) => different.add(word).size * 5 < words.length);
}
