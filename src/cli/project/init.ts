import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openProject } from '../../adapters/disk/project-directory.ts';
import { readShippedApproval } from '../../adapters/disk/shipped-config.ts';
import { openWorld, SHIPPED_TEMPLATES } from '../../adapters/world.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { SHIPPED_APPROVALS } from '../../domain/judge/approval-type.ts';
import type { World } from '../../ports/world.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import type { Call, Command, CommandOption } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { fillTemplate, type Template, type Workspace } from './fill-template.ts';
import { helixYaml, LANGUAGES, type Language } from './project-texts.ts';
import { lookAround, showDetected } from './show-detected.ts';
import {
  makeDirectory,
  showWritten,
  TRUST_OPTION,
  trustStep,
  trustWritten,
  tryRun,
  type Written,
  writeProject,
} from './write-project.ts';

/** `--lang`, which both ways to make a project take. */
export const LANG_OPTION: CommandOption = {
  type: 'string',
  value: 'en|de',
  help: 'the language of texts and agents (default: en)',
};

const NO_REPOSITORY = `note     this is no git repository, so each phase works in a directory of its own, phases/<id>/; to let phases work on
         the files here: git init, and helix init in the new repository\n`;

/** `helix init` */
export const init: Command = {
  usage: 'init [dir] [--lang en|de] [--approvals [type...]] [--trust]',
  about: `Makes the directory a HELIX project: phases.yaml (the plan) and helix.yaml (the settings) to own and edit, and .helix/ in
.gitignore. In a git repository it tells from the files how to install what the project needs and how to run its tests, and
says what is left for you to fill in. All else is as HELIX ships it until you have your own: --approvals copies what judges
are told, of the types that are named or of all. A file that is there already is never changed. What init wrote is trusted;
set-up that it found in a repository is asked for.`,
  positionals: { min: 0, max: 1 + SHIPPED_APPROVALS.length },
  options: {
    lang: LANG_OPTION,
    trust: TRUST_OPTION,
    approvals: {
      type: 'boolean',
      value: '[type...]',
      help: 'copy definitions of approvals to edit: these types, or all',
    },
  },
  examples: ['helix init', 'helix init backend --lang de', 'helix init --approvals code adr'],
  run: async (call) => {
    const { terminal } = call;
    const language = languageOf(call);
    const { named, types } = wordsOf(call);
    const dir = named ?? '.';
    makeDirectory(dir);
    const world = openWorld(openProject(dir));
    const name = basename(world.project.dir) || 'project';
    const { found, ...filling } = await lookAround(world);
    const written = writeProject(world.project.dir, {
      'phases.yaml': fillTemplate(templateFor(filling.workspace), { name, language, ...filling }),
      'helix.yaml': helixYaml(language),
      ...definitionsOf(types),
    });
    showWritten(written, call);
    if (written.made.includes('phases.yaml')) {
      if (found !== undefined) await showDetected(found, world, call);
      else if (!(await world.project.inGit())) terminal.err(NO_REPOSITORY);
    }
    const at = named === undefined ? '' : ` ${named}`;
    const run = await tryWritten(written, world, { call, at });
    terminal.err(renderNext(written, { dir: named, inGit: found !== undefined, run }));
    return EXIT.passed;
  },
};

/** In a repository the phases work on what is there; elsewhere each has a directory of its own. */
function templateFor({ mode }: Workspace): Template {
  return mode === 'repo' ? repositoryTemplate() : shippedTemplate('project-types/feature.yaml');
}

/** The plan of a change to a repository. */
export function repositoryTemplate(): Template {
  return shippedTemplate('init/repository.yaml');
}

function shippedTemplate(name: string): Template {
  return { text: readFileSync(join(SHIPPED_TEMPLATES, name), 'utf8'), file: join('templates', name) };
}

/** With --approvals, words that are the names of approvals are such, and one more is the directory. */
function wordsOf(call: Call): { readonly named: string | undefined; readonly types: readonly string[] } {
  const { positionals } = call;
  const wanted = call.flag('approvals');
  const types = wanted ? positionals.filter((word) => SHIPPED_APPROVALS.includes(word)) : [];
  const [named, ...others] = positionals.filter((word) => !types.includes(word));
  if (others.length > 0) {
    const hint = wanted ? suggestion(others[0] ?? '', SHIPPED_APPROVALS) : 'Usage: helix init [dir]';
    throw new HelixError('usage', `unexpected: ${others.join(' ')}`, { hint });
  }
  return { named, types: wanted && types.length === 0 ? SHIPPED_APPROVALS : types };
}

/** What judges of some types are told, as HELIX ships it; the defects to measure them by stay with HELIX. */
function definitionsOf(types: readonly string[]): Record<string, string> {
  const files = types.flatMap((type) =>
    [...(readShippedApproval(type) ?? [])].map(([path, text]) => [join('approvals', type, path), text] as const),
  );
  return Object.fromEntries(files.filter(([path]) => !path.endsWith('/defects.yaml')));
}

async function tryWritten(written: Written, world: World, { call, at }: { call: Call; at: string }): Promise<string[]> {
  const foreign = written.kept.filter((path) => path !== '.gitignore');
  if (foreign.length === 0) {
    const { loaded, asks } = await trustWritten(world, call);
    return [...(asks ? [trustStep(at)] : []), tryRun(loaded, at)];
  }
  call.terminal.err(
    `${foreign.join(' and ')} came from you; helix run says what it wants, and helix trust allows it\n`,
  );
  return [];
}

type Next = { readonly dir: string | undefined; readonly inGit: boolean; readonly run: readonly string[] };

/** A run starts from what is committed, so the new files are to be. */
function renderNext({ made }: Written, { dir, inGit, run }: Next): string {
  const git = dir === undefined ? 'git' : `git -C ${dir}`;
  const steps = [
    ...(made.includes('phases.yaml')
      ? ['  look at phases.yaml, and write what you want into request.md beside it']
      : []),
    ...(inGit && made.length > 0 ? [`  ${git} add ${made.join(' ')} && ${git} commit -m "Plan work with HELIX"`] : []),
    `  helix plan${dir === undefined ? '' : ` ${dir}`}`,
    ...run,
  ];
  return `\nNext:\n${steps.join('\n')}\n`;
}

/** The value of `--lang`, checked. */
export function languageOf(call: Call): Language {
  const wanted = call.text('lang') ?? 'en';
  const language = LANGUAGES.find((each) => each === wanted);
  if (language !== undefined) return language;
  throw new HelixError('usage', `there are no texts in ${JSON.stringify(wanted)}`, {
    hint: `Languages: ${LANGUAGES.join(', ')}. Agents write in any language you name in helix.yaml.`,
  });
}
