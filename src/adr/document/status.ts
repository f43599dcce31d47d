/** What a status means, in whatever language and words it is written. */
export type StatusName = 'proposed' | 'accepted' | 'implemented' | 'superseded' | 'deprecated' | 'rejected';

const WORDS: Readonly<Record<StatusName, string>> = {
  superseded: 'superseded|superceded|superseeded|replaced|obsoleted|ersetzt|abgelöst|überholt|remplacée?',
  deprecated: 'deprecated|obsolete|retired|archived|withdrawn|veraltet|obsolète|archiviert|zurückgezogen|dépréciée?',
  rejected: 'rejected|reverted|declined|denied|abandoned|cancell?ed|not accepted|abgelehnt|verworfen|rejetée?|refusée?',
  implemented:
    'implemented|done|completed|active|in effect|live|umgesetzt|implementiert|aktiv|erledigt|implémentée?|réalisée?',
  accepted:
    'accepted|approved|adopted|agreed|decided|ratified|final|akzeptiert|angenommen|beschlossen|entschieden|genehmigt|freigegeben|acceptée?|approuvée?|adoptée?|validée?|validiert',
  proposed:
    'proposed|proposal|draft|incomplete|on hold|review|pending|open|in review|under review|in discussion|under discussion|request for comments|rfc|wip|work in progress|in progress|for discussion|vorgeschlagen|vorschlag|entwurf|offen|in arbeit|in prüfung|in diskussion|proposée?|brouillon|en cours|en discussion',
};

/** Each word with what it means; `e?` in a word stands for both. */
const MEANINGS = new Map(
  (Object.entries(WORDS) as [StatusName, string][]).flatMap(([name, words]) =>
    words
      .split('|')
      .flatMap((word) => [word.replace(/.\?/g, ''), word.replaceAll('?', '')].map((each) => [each, name] as const)),
  ),
);

/** What a status as written means, read from its beginning: "✅ Implemented (2025-12-26)"; undefined for words nobody knows. */
export function statusOf(written: string): StatusName | undefined {
  // A list of what a status can be is the template's.
  if (/^\s*[{<[].*\|/.test(written)) return undefined;
  const words =
    written
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const from = words.findIndex((word) => !/^(?:\d.*|status|statut|partly|partially|teilweise)$/.test(word));
  if (from === -1) return undefined;
  for (let length = 1; length <= 3; length += 1) {
    const meaning = MEANINGS.get(words.slice(from, from + length).join(' '));
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}
