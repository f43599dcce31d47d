import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openProject } from '../../adapters/disk/project-directory.ts';
import { openWorld, SHIPPED_TEMPLATES } from '../../adapters/world.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { normalisePath, unsafePath } from '../../text/safe-path.ts';
import type { Command } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { load } from '../call/load.ts';
import { fillTemplate, type Template, type Workspace } from './fill-template.ts';
import { LANG_OPTION, languageOf, repositoryTemplate } from './init.ts';
import { helixYaml } from './project-texts.ts';
import { readRequest } from './read-request.ts';
import { lookAbove, showDetected } from './show-detected.ts';
import {
  makeDirectory,
  showWritten,
  TRUST_OPTION,
  trustStep,
  trustWritten,
  tryRun,
  writeProject,
} from './write-project.ts';

/** `helix new` */
export const newProject: Command = {
  usage: 'new <name> [--type T] [--request TEXT|FILE|-] [--lang en|de] [--trust]',
  about: `Makes a project in a directory of its own, from a project type: feature, bugfix, documentation, research, migration, or
one of your own in templates/project-types/. The request is what you want; the agents get it word for word. Inside a git
repository the directory holds only the plan and the request: the work is done at the top of the repository, with the set-up and
tests that are found there; elsewhere each phase works in phases/<id>/. What new wrote is trusted; set-up that it
found in a repository is asked for.`,
  positionals: { min: 1, max: 1 },
  options: {
    type: { type: 'string', value: 'T', help: 'the project type (default: feature)' },
    request: { type: 'string', value: 'TEXT|FILE|-', help: 'what you want: as text, as a file, or - for stdin' },
    lang: LANG_OPTION,
    trust: TRUST_OPTION,
  },
  examples: [
    'helix new demo --type documentation --request "Explain our API"',
    'helix new login-bug --type bugfix --request report.md',
    'gh issue view 7 | helix new issue-7 --request -',
  ],
  run: async (call) => {
    const { terminal, positionals } = call;
    const dir = freeDirectory(positionals[0] ?? '');
    const language = languageOf(call);
    const type = call.text('type') ?? 'feature';
    const { found, ...filling } = await lookAbove(openWorld(openProject(existingAbove(dir))));
    const template = await findTemplate(type, filling.workspace);
    const request = await readRequest(call);
    const files = {
      'phases.yaml': fillTemplate(template, { name: basename(dir), language, ...filling }),
      'helix.yaml': helixYaml(language),
      'state.json': `${JSON.stringify({ project_type: type }, undefined, 2)}\n`,
      ...(request !== undefined && { 'request.md': request }),
    };
    makeDirectory(dir);
    const world = openWorld(openProject(dir));
    showWritten(writeProject(world.project.dir, files), call);
    if (found !== undefined) await showDetected(found, world, call);
    const { loaded, asks } = isShipped(template)
      ? await trustWritten(world, call)
      : { loaded: await load(world), asks: false };
    if (!isShipped(template)) terminal.err(`${template.file} is not one of HELIX's; helix run says what it wants\n`);
    const shown = /^[\w./-]+$/.test(dir) ? dir : JSON.stringify(dir);
    const inGit = found !== undefined;
    terminal.err(
      renderNext(shown, { hasRequest: request !== undefined, inGit, run: tryRun(loaded, ` ${shown}`), asks }),
    );
    return EXIT.passed;
  },
};

function freeDirectory(name: string): string {
  const reason = unsafePath(name);
  const hidden = name.split('/').some((part) => /^\.[^.]/.test(part));
  if (reason !== undefined || hidden || normalisePath(name) === '.') {
    throw new HelixError(
      'usage',
      `a project cannot be called ${JSON.stringify(name)}: the name ${reason ?? (hidden ? 'begins with a dot' : 'is this directory')}`,
      {
        hint: 'Name a directory to be made below this one; helix init makes a project here.',
      },
    );
  }
  const dir = normalisePath(name).replace(/\/\*\*$/, '');
  const there = lstatSync(dir, { throwIfNoEntry: false });
  if (there === undefined || (there.isDirectory() && readdirSync(dir).length === 0)) return dir;
  throw new HelixError(
    'usage',
    `${dir} is there already${there.isDirectory() ? ' and not empty' : ''}; nothing was changed`,
    {
      hint: `Choose another name, or make a project of what is there: helix init ${dir}`,
    },
  );
}

function existingAbove(dir: string): string {
  let above = dir;
  while (!existsSync(above)) above = dirname(above);
  return above;
}

/** The type as its owner has it; a feature of a repository is a change to what is there, so that no folder is named for it. */
async function findTemplate(type: string, { mode }: Workspace): Promise<Template> {
  const here = openWorld(openProject('.'));
  const types = await here.projectTypes();
  const file = join('project-types', `${type}.yaml`);
  const text = types.includes(type) ? await here.template(file) : undefined;
  if (text !== undefined) {
    const found = { text, file: join('templates', file) };
    return mode === 'repo' && type === 'feature' && isShipped(found) ? repositoryTemplate() : found;
  }
  const near = didYouMean(type, types);
  throw new HelixError('usage', `there is no project type ${JSON.stringify(type)}`, {
    hint: `${near === undefined ? '' : `did you mean "${near}"? `}There are: ${types.join(', ')}. Your own go to templates/project-types/`,
  });
}

/** A template that merely lies in this directory may be somebody else's. */
function isShipped({ text, file }: Template): boolean {
  const shipped = join(SHIPPED_TEMPLATES, '..', file);
  return existsSync(shipped) && readFileSync(shipped, 'utf8') === text;
}

type Next = { readonly hasRequest: boolean; readonly inGit: boolean; readonly run: string; readonly asks: boolean };

function renderNext(dir: string, { hasRequest, inGit, run, asks }: Next): string {
  const steps = [
    ...(hasRequest ? [] : [`  write what you want into ${dir}/request.md`]),
    `  edit ${dir}/phases.yaml and ${dir}/helix.yaml as you like`,
    ...(inGit ? [`  git add ${dir} && git commit -m "Plan work with HELIX"`] : []),
    `  helix plan ${dir}                     checks the plan; starts nothing`,
    ...(asks ? [trustStep(` ${dir}`)] : []),
    run,
  ];
  return `\nNext:\n${steps.join('\n')}\n`;
}
