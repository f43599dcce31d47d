import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openProject } from '../../adapters/disk/project-directory.ts';
import { openWorld, SHIPPED_TEMPLATES } from '../../adapters/world.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { World } from '../../ports/world.ts';
import type { Call, Command, CommandOption } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { fillTemplate, type Template, type Workspace } from './fill-template.ts';
import { configTexts, helixYaml, LANGUAGES, type Language } from './project-texts.ts';
import { lookAround, showDetected } from './show-detected.ts';
import { makeDirectory, showWritten, trustWritten, tryRun, type Written, writeProject } from './write-project.ts';

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
  usage: 'init [dir] [--lang en|de]',
  about: `Makes the directory a HELIX project: phases.yaml (the plan), helix.yaml (the settings) and config/ (approvals and what
follows when a gate fails) to own and edit, and .helix/ in .gitignore. In a git repository it tells from the files how to
install what the project needs and how to run its tests, and says what is left for you to fill in. A file that is there
already is never changed. What init wrote is trusted.`,
  positionals: { min: 0, max: 1 },
  options: { lang: LANG_OPTION },
  examples: ['helix init', 'helix init backend --lang de'],
  run: async (call) => {
    const { terminal, positionals } = call;
    const language = languageOf(call);
    const dir = positionals[0] ?? '.';
    makeDirectory(dir);
    const world = openWorld(openProject(dir));
    const name = basename(world.project.dir) || 'project';
    const { found, ...filling } = await lookAround(world);
    const written = writeProject(world.project.dir, {
      'phases.yaml': fillTemplate(templateFor(filling.workspace), { name, language, ...filling }),
      'helix.yaml': helixYaml(language),
      ...configTexts(language),
    });
    showWritten(written, call);
    if (written.made.includes('phases.yaml')) {
      if (found !== undefined) await showDetected(found, world, call);
      else if (!(await world.project.inGit())) terminal.err(NO_REPOSITORY);
    }
    const at = positionals[0] === undefined ? '' : ` ${positionals[0]}`;
    const run = await tryWritten(written, world, { call, at });
    terminal.err(renderNext(written, { dir: positionals[0], inGit: found !== undefined, run }));
    return EXIT.passed;
  },
};

/** In a repository the phases work on what is there; elsewhere each has a directory of its own. */
function templateFor({ mode }: Workspace): Template {
  const name = mode === 'repo' ? ['init', 'repository.yaml'] : ['project-types', 'feature.yaml'];
  const file = join(SHIPPED_TEMPLATES, ...name);
  return { text: readFileSync(file, 'utf8'), file };
}

async function tryWritten(written: Written, world: World, { call, at }: { call: Call; at: string }): Promise<string[]> {
  const foreign = written.kept.filter((path) => path !== '.gitignore');
  if (foreign.length === 0) return [tryRun(await trustWritten(world, call), at)];
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
