import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openProject } from '../adapters/project-directory.ts';
import { openWorld, SHIPPED_TEMPLATES } from '../adapters/world.ts';
import { HelixError } from '../domain/helix-error.ts';
import type { LoadedPlan } from '../plan/load-plan.ts';
import type { Call, Command, CommandOption } from './command.ts';
import { EXIT } from './exit-code.ts';
import { fillTemplate } from './fill-template.ts';
import { helixYaml, LANGUAGES, type Language } from './project-texts.ts';
import { makeDirectory, showWritten, trustWritten, tryRun, writeProject } from './write-project.ts';

/** `--lang`, which both ways to make a project take. */
export const LANG_OPTION: CommandOption = {
  type: 'string',
  value: 'en|de',
  help: 'the language of texts and agents (default: en)',
};

/** `helix init` */
export const init: Command = {
  usage: 'init [dir] [--lang en|de]',
  about: `Makes the directory a HELIX project: phases.yaml (the plan) and helix.yaml (the settings) to own and edit, and .helix/ in
.gitignore. A file that is there already is never changed. What init wrote is trusted.`,
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
    const file = join(SHIPPED_TEMPLATES, 'project-types', 'feature.yaml');
    const template = { text: readFileSync(file, 'utf8'), file };
    const written = writeProject(world.project.dir, {
      'phases.yaml': fillTemplate(template, { name, language }),
      'helix.yaml': helixYaml(language),
    });
    showWritten(written, call);
    let loaded: LoadedPlan | undefined;
    const foreign = written.kept.filter((path) => path !== '.gitignore');
    if (foreign.length === 0) loaded = await trustWritten(world, call);
    else
      terminal.err(`${foreign.join(' and ')} came from you; helix run says what it wants, and helix trust allows it\n`);
    const at = positionals[0] === undefined ? '' : ` ${positionals[0]}`;
    const next = loaded === undefined ? [] : [tryRun(loaded, world, at)];
    terminal.err(`\n${['Next: edit phases.yaml, then', `  helix plan${at}`, ...next].join('\n')}\n`);
    return EXIT.passed;
  },
};

/** The value of `--lang`, checked. */
export function languageOf(call: Call): Language {
  const wanted = call.text('lang') ?? 'en';
  const language = LANGUAGES.find((each) => each === wanted);
  if (language !== undefined) return language;
  throw new HelixError('usage', `there are no texts in ${JSON.stringify(wanted)}`, {
    hint: `Languages: ${LANGUAGES.join(', ')}. Agents write in any language you name in helix.yaml.`,
  });
}
