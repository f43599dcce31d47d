import type { ApprovalRequest } from '../../approval/approver.ts';
import { makeQuestion } from '../../approval/make-question.ts';
import type { AskedFor, Question } from '../../approval/question.ts';
import { CONVENTION_GLOBS, type Conventions, isConvention, readConventions } from '../../brief/conventions.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { HelixFile } from '../../domain/plan/helix-file.ts';
import { present } from '../../domain/present.ts';
import { existsAmong } from '../../gates/gate/exists-among.ts';
import { preCheck } from '../../gates/judge/pre-check.ts';
import type { PreCheckSource } from '../../gates/judge/pre-check-source.ts';
import type { PinnedProject } from '../../ports/pinned-project.ts';
import type { World } from '../../ports/world.ts';
import { isGlob } from '../../text/glob.ts';
import { oneLine } from '../../text/sanitise.ts';
import { isTask, readRequest } from '../start/require-task.ts';

const TEXT_LIMIT = 256 * 1024;
const CONCEPT_LIMIT = 2 * 1024 * 1024;

/** What is to be approved. */
export type Wanted = {
  readonly type: string;
  /** Paths of the project. */
  readonly files: readonly string[];
  readonly diff?: string;
  readonly concept?: string;
  readonly model?: string;
};

type Around = {
  readonly world: World;
  readonly pinned: PinnedProject;
  readonly settings: HelixFile;
  readonly stop: AbortSignal;
};

/** A question without the findings of the free checks, and what runs them. */
export type Prepared = {
  readonly question: Question;
  readonly runPreChecks: () => Promise<{ readonly question: Question; readonly seconds: number }>;
};

/** Makes the question to the judge out of what is pinned; throws HelixError for what nobody could answer. */
export async function prepareQuestion(wanted: Wanted, around: Around): Promise<Prepared> {
  const { world, pinned, settings } = around;
  const { type, concept, diff, model } = wanted;
  const { snapshot, inputs, difference, before, standIn } = pinned;
  const conceptText = concept === undefined ? undefined : await readConcept(concept, pinned);
  const compared = concept !== undefined &&
    conceptText !== undefined && { concept: { path: concept, text: conceptText } };
  const files = inputs.filter((path) => path !== concept);
  const request: ApprovalRequest = {
    ...{ type, role: 'reviewer' as const, files, found: [] },
    ...{ ...(diff && { diff }), ...(model && { model }), ...compared },
  };
  const source = {
    ...{ read: before.read, list: before.list, links: before.links, target: before.target },
    ...present({ language: settings.language }),
    shipped: (name: string) => world.shippedApproval(name),
    conventions: await conventionsOf(before),
  };
  const question = await makeQuestion(request, source, {
    ...{ snapshot, asked: await askedBefore(before) },
    ...present({ difference }),
  });
  return {
    question,
    runPreChecks: async () => {
      // The free checks are about files, and a change that leaves none behind is none they know.
      if (standIn !== undefined) return { question, seconds: 0 };
      const began = world.clock.monotonic();
      const found = await preCheck(type, files, { ...(await sourceOf(around)), ...compared });
      return {
        question: { ...question, found: [...found, ...question.found] },
        seconds: (world.clock.monotonic() - began) / 1000,
      };
    },
  };
}

/** What lies beside the plan about what is wanted, as it was before the work. */
async function askedBefore({ read }: PinnedProject['before']): Promise<AskedFor> {
  const quiet = quietly(read);
  const request = await readRequest({ read: quiet });
  const text = await quiet('spec.yaml');
  return {
    tasks: [],
    ...(request !== undefined && isTask(request) && { request }),
    ...(text !== undefined && text.trim() !== '' && { spec: { text } }),
  };
}

async function readConcept(path: string, { snapshot }: PinnedProject): Promise<string> {
  const bytes = await snapshot.read(path, CONCEPT_LIMIT + 1);
  const named = oneLine(path, 200);
  if (bytes === undefined) {
    throw new HelixError('usage', `the concept ${named} is not among the files of the project`, {
      hint: 'Name a file of this project that git does not ignore.',
    });
  }
  if (bytes.length <= CONCEPT_LIMIT) return bytes.toString('utf8');
  throw new HelixError('usage', `the concept ${named} is larger than ${CONCEPT_LIMIT / 1024 / 1024} MB`);
}

/** What the owner wrote for agents before the work. */
async function conventionsOf({ read, list }: PinnedProject['before']): Promise<Conventions> {
  const whole = CONVENTION_GLOBS.filter((path) => !isGlob(path));
  const listed = [...(await list('')), ...(await list('skills')), ...(await list('.claude'))].filter(isConvention);
  return readConventions({ paths: [...new Set([...whole, ...listed])], read: quietly(read) }, []);
}

/** A file that is too large or no text says nothing. */
function quietly(read: PinnedProject['before']['read']): (path: string) => Promise<string | undefined> {
  return async (path) => {
    try {
      return await read(path, TEXT_LIMIT);
    } catch (error) {
      if (error instanceof HelixError && error.code === 'io') return undefined;
      throw error;
    }
  };
}

async function sourceOf({ world, pinned, stop }: Around): Promise<PreCheckSource> {
  const { snapshot, before } = pinned;
  const text = quietly(before.read);
  const old = await before.list('');
  return {
    read: (path, limit) => snapshot.read(path, limit),
    exists: existsAmong(snapshot.files.map(({ path }) => path)),
    projectFiles: async () => ({ before: old, since: snapshot.files.map(({ path }) => path) }),
    rules: { projectFile: before.read, shippedConfig: (name) => world.shippedConfig(name) },
    before: {
      files: old.map((path) => ({ path })),
      read: async (path) => {
        const content = await text(path);
        return content === undefined ? undefined : Buffer.from(content);
      },
    },
    program: {
      processes: await world.processes(),
      project: world.project.dir,
      marker: world.newMarker(),
      signal: stop,
    },
  };
}
