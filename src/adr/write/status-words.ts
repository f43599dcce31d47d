import type { Adr } from '../document/adr.ts';

/** The words for supersession in one language. */
export type StatusWords = {
  readonly superseded: string;
  readonly supersededBy: string;
  readonly supersedes: string;
  readonly and: string;
  readonly previously: string;
  readonly proposed: string;
};

const ENGLISH: StatusWords = {
  superseded: 'Superseded',
  supersededBy: 'Superseded by',
  supersedes: 'Supersedes',
  and: 'and',
  previously: 'previously',
  proposed: 'Proposed',
};
const GERMAN: StatusWords = {
  superseded: 'Ersetzt',
  supersededBy: 'Ersetzt durch',
  supersedes: 'Ersetzt',
  and: 'und',
  previously: 'zuvor',
  proposed: 'Vorgeschlagen',
};
const FRENCH: StatusWords = {
  superseded: 'Remplacé',
  supersededBy: 'Remplacé par',
  supersedes: 'Remplace',
  and: 'et',
  previously: 'auparavant',
  proposed: 'Proposé',
};

const GERMAN_STATUS =
  /^[^\p{L}]*(?:akzeptiert|angenommen|beschlossen|entschieden|genehmigt|freigegeben|vorgeschlagen|vorschlag|entwurf|offen|in arbeit|in prüfung|in diskussion|umgesetzt|implementiert|aktiv(?!e)|erledigt|ersetzt|abgelöst|überholt|veraltet|archiviert|zurückgezogen|abgelehnt|verworfen|validiert)/iu;
const FRENCH_STATUS =
  /^[^\p{L}]*(?:accepté|approuvé|adopté|validé|proposé|brouillon|en cours|en discussion|implémenté|réalisé|remplacé|obsolète|déprécié|rejeté|refusé)/iu;

/** The words an ADR uses for its status; one that has none yet is written in the language of its sections. */
export function statusWords(adr: Adr): StatusWords {
  const [status] = adr.statuses;
  const names = adr.sections.map(({ name }) => name);
  if (
    status === undefined
      ? names.some((name) => /^(?:kontext|entscheidung)/.test(name))
      : GERMAN_STATUS.test(status.value)
  )
    return GERMAN;
  if (
    status === undefined ? names.some((name) => /^(?:contexte|décision)/.test(name)) : FRENCH_STATUS.test(status.value)
  )
    return FRENCH;
  return ENGLISH;
}
