import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { slices } from './edit.ts';

/** What a section of the documents is about. */
export type Kind =
  | 'context'
  | 'decision'
  | 'implementation'
  | 'documentation'
  | 'acceptance'
  | 'consequences'
  | 'migration'
  | 'rollback'
  | 'risks'
  | 'security';

/** A valid ADR written by hand, and what the operators have to know about it. */
export type Document = {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly form: 'helix' | 'madr' | 'nygard' | 'what-why';
  readonly language: 'de' | 'en';
  /** The titles of its sections. */
  readonly titles: Readonly<Partial<Record<Kind, string>>>;
  readonly required: readonly Kind[];
  readonly concept: string | undefined;
};

const TITLES: Readonly<Record<Kind, readonly string[]>> = {
  context: ['Context', 'Kontext', 'Context and Problem Statement', 'Why'],
  decision: ['Decision', 'Entscheidung', 'Decision Outcome', 'What'],
  implementation: ['Implementation'],
  documentation: ['Documentation', 'Dokumentation'],
  acceptance: ['Acceptance criteria', 'Akzeptanzkriterien'],
  consequences: ['Consequences', 'Konsequenzen'],
  migration: ['Migration', 'Migrationsplan', 'Rollout plan'],
  rollback: ['Rollback'],
  risks: ['Risks', 'Risiken'],
  security: ['Security', 'Sicherheit'],
};

/** The six sections of the helix profile. */
const HELIX_KINDS: readonly Kind[] = [
  'context',
  'decision',
  'implementation',
  'documentation',
  'acceptance',
  'consequences',
];

const HOME = new URL('.', import.meta.url);

/** Reads the documents of the suite. */
export function readDocuments(): Document[] {
  return readdirSync(new URL('documents', HOME))
    .filter((name) => !name.includes('.concept.'))
    .map(readDocument);
}

function readDocument(name: string): Document {
  const text = readFileSync(new URL(`documents/${name}`, HOME), 'utf8');
  const concept = new URL(`documents/${name.replace('.md', '.concept.md')}`, HOME);
  const written = new Set(slices(text).map(({ title }) => title));
  const titles = Object.entries(TITLES).flatMap(([kind, names]) => {
    const title = names.find((each) => written.has(each));
    return title === undefined ? [] : [[kind, title]];
  });
  const form = formOf(text, written);
  return {
    name,
    path: `docs/adr/${name}`,
    text,
    form,
    language: written.has('Kontext') ? 'de' : 'en',
    titles: Object.fromEntries(titles) as Document['titles'],
    required: form === 'helix' ? HELIX_KINDS : ['context', 'decision'],
    concept: existsSync(concept) ? readFileSync(concept, 'utf8') : undefined,
  };
}

function formOf(text: string, written: ReadonlySet<string>): Document['form'] {
  if (text.includes('\nadr_id:')) return 'helix';
  if (written.has('What')) return 'what-why';
  return written.has('Decision Outcome') ? 'madr' : 'nygard';
}

/** ADRs that refer to each other, by their paths. */
export type Folder = Readonly<Record<string, string>>;

/** Reads the folder of the suite. */
export function readFolder(): Folder {
  const names = readdirSync(new URL('folder', HOME));
  return Object.fromEntries(
    names.map((name) => [`docs/adr/${name}`, readFileSync(new URL(`folder/${name}`, HOME), 'utf8')]),
  );
}
