import { oneLine } from '../text/sanitise.ts';
import { phrase } from '../text/say.ts';
import { ownerText } from './owner-text.ts';
import { bounded, code, quote } from './quote.ts';

const MAX_TEXT = 32 * 1024;
const MAX_SKILL = 16 * 1024;
const MAX_TOTAL = 96 * 1024;
const MAX_LISTED = 50;

const WHOLE = ['AGENTS.md', 'CLAUDE.md', '.claude/CLAUDE.md'];
const SKILL = /^(?:\.(?:claude|agents)\/)?skills\/([^/]+)\/SKILL\.md$/;
const AGENT = /^\.claude\/agents\/(?:[^/]+\/)*([^/]+)\.md$/;
const NESTED = /(?:^|\/)(?:AGENTS|CLAUDE)\.md$/;
/** What a judge is told to be is nothing that others work by. */
const DEFINITION = /^approvals\/[^/]+\/CLAUDE\.md$/;

/** The files conventions are looked for in, as they were before any agent worked. */
export type ConventionSource = {
  readonly paths: readonly string[];
  readonly read: (path: string) => Promise<string | undefined>;
};

/** A text that is told in full; `file` is the path of a skill as it is. */
type Told = { readonly path: string; readonly text: string; readonly instructions: string; readonly file?: string };

/** What a project's owner wrote for agents, ready for a brief. */
export type Conventions = {
  /** `text` is quoted as data, `instructions` is the same as part of a brief. */
  readonly texts: readonly Told[];
  /** What there is besides, by what it is good for; `file` is the same path as it is. */
  readonly more: readonly { readonly path: string; readonly about: string; readonly file?: string }[];
  /** The names of all skills there are, where they were looked for. */
  readonly skills?: readonly string[];
  /** The skills among those that are named which HELIX brings along: nobody's words but its own. */
  readonly shipped?: readonly { readonly name: string; readonly instructions: string }[];
};

/** Where conventions lie that concern the whole project. */
export const CONVENTION_GLOBS = [
  ...[...WHOLE, 'skills/*/SKILL.md', '.claude/skills/*/SKILL.md', '.agents/skills/*/SKILL.md'],
  '.claude/agents/**/*.md',
];

const NO_SKILLS: ReadonlyMap<string, string> = new Map();
const FRONT_MATTER = /^---\r?\n[\s\S]*?\r?\n---\r?\n/;

/**
 * Reads a project's conventions: the general ones and the skills a phase names in full, everything else by its name. A skill that the
 * project does not have is the one HELIX ships under that name.
 */
export async function readConventions(
  source: ConventionSource,
  skills: readonly string[],
  shipped = NO_SKILLS,
): Promise<Conventions> {
  const texts: Told[] = [];
  const more: { path: string; about: string; file: string }[] = [];
  let room = MAX_TOTAL;
  for (const path of source.paths.toSorted(byRank)) {
    const skill = SKILL.exec(path)?.[1];
    const wanted = WHOLE.includes(path) || (skill !== undefined && skills.includes(skill));
    if (wanted && room > 0) {
      const text = (await source.read(path))?.trim() ?? '';
      if (text === '') continue;
      const kept = bounded(text, Math.min(room, skill === undefined ? MAX_TEXT : MAX_SKILL));
      room -= kept.length;
      const file = skill === undefined ? {} : { file: path };
      texts.push({ path: code(path), text: quote(kept), instructions: ownerText(kept), ...file });
    } else if (more.length < MAX_LISTED && isConvention(path)) {
      more.push({ path: code(path), about: await aboutOf(path, source), file: path });
    }
  }
  const own = source.paths.flatMap((path) => SKILL.exec(path)?.[1] ?? []);
  const names = [...new Set([...own, ...shipped.keys()])].sort();
  const brought = skills.flatMap((name) => {
    const text = own.includes(name) ? undefined : shipped.get(name);
    return text === undefined
      ? []
      : [{ name: code(name), instructions: ownerText(text.replace(FRONT_MATTER, '').trim()) }];
  });
  return { texts, more, ...(names.length > 0 && { skills: names }), ...(brought.length > 0 && { shipped: brought }) };
}

function byRank(a: string, b: string): number {
  const rank = (path: string) => (WHOLE.includes(path) ? WHOLE.indexOf(path) : WHOLE.length);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

/** Tells whether a file is one that conventions are written in. */
export function isConvention(path: string): boolean {
  return !DEFINITION.test(path) && (SKILL.test(path) || AGENT.test(path) || NESTED.test(path));
}

async function aboutOf(path: string, { read }: ConventionSource): Promise<string> {
  if (NESTED.test(path)) return phrase('for what lies in its folder');
  const text = (await read(path)) ?? '';
  const described = /^description:\s*(.+)$/m.exec(text.slice(0, 4096))?.[1] ?? '';
  return (
    oneLine(described.replace(/^['"]|['"]$/g, ''), 300) || (SKILL.test(path) ? phrase('a skill') : phrase('a role'))
  );
}
