/** German for the comments, names and descriptions of the project types HELIX ships, by their English words. */
export const GERMAN: ReadonlyMap<string, string> = new Map([
  [
    'A new feature: understand it, build it, have it reviewed, document it.',
    'Eine neue Funktion: verstehen, bauen, prüfen lassen, dokumentieren.',
  ],
  ['Requirements', 'Anforderungsanalyse'],
  ['chosen by the request', 'nach der Anfrage gewählt'],
  ['Implementation', 'Implementierung'],
  ["chosen by the specification's language", 'nach der Sprache der Spezifikation gewählt'],
  ["chosen by the specification's domain", 'nach dem Fachgebiet der Spezifikation gewählt'],
  ['Code review', 'Code-Review'],
  ['Documentation', 'Dokumentation'],

  [
    'A change to this repository: say what is wanted, build it, have it reviewed, document it.',
    'Eine Änderung an diesem Repository: sagen, was gewünscht ist, bauen, prüfen lassen, dokumentieren.',
  ],
  [
    'What the phases write about the work lies in helix/; everything else they write is the change itself.',
    'Was die Phasen über die Arbeit schreiben, liegt in helix/; alles andere ist die Änderung selbst.',
  ],
  ['what is merged has passed them', 'was übernommen wird, hat sie bestanden'],

  [
    'A bug: find its cause, mend it, prove that it is gone, write it down.',
    'Ein Fehler: die Ursache finden, ihn beheben, beweisen, dass er weg ist, ihn festhalten.',
  ],
  ['Analyse the bug', 'Fehleranalyse'],
  ['Mend it', 'Fehler beheben'],
  ['Verify the fix', 'Korrektur prüfen'],
  ['Document the fix', 'Korrektur dokumentieren'],

  ['Documentation only: plan it, write it, have it reviewed.', 'Nur Dokumentation: planen, schreiben, prüfen lassen.'],
  ['Plan the documentation', 'Dokumentation planen'],
  ['Write the documentation', 'Dokumentation schreiben'],
  ['Review the documentation', 'Dokumentation prüfen'],

  [
    'Research: plan the questions, find answers with their sources, sum them up.',
    'Recherche: Fragen planen, Antworten mit Quellen finden, zusammenfassen.',
  ],
  ['Plan the research', 'Recherche planen'],
  ['Do the research', 'Recherche durchführen'],
  ['Sum it up', 'Zusammenfassung'],

  [
    'A migration: know what is there, plan the way there and the way back, go it, prove it, write it down.',
    'Eine Migration: den Bestand kennen, Hinweg und Rückweg planen, ihn gehen, ihn beweisen, ihn festhalten.',
  ],
  ['Analyse what is there', 'Bestandsaufnahme'],
  ['Plan the migration and its rollback', 'Migration und Rückweg planen'],
  [
    'Steps that can each be undone, what happens to the data, and when to turn back',
    'Einzeln umkehrbare Schritte, was mit den Daten geschieht, und wann umgekehrt wird',
  ],
  ['Approve the plan', 'Plan freigeben'],
  ['Migrate', 'Migrieren'],
  ['Verify the migration and its rollback', 'Migration und Rückweg prüfen'],
  ['Document the migration', 'Migration dokumentieren'],
]);
