import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SHIPPED_TEMPLATES } from '../../adapters/world.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { SHIPPED_APPROVALS } from '../../domain/judge/approval-type.ts';
import { present } from '../../domain/present.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import type { Command, CommandOption, CommandTable } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { type Completed, type CompletedOption, RENDERERS } from './completion-scripts.ts';
import { FORMATS } from './schemas.ts';

/** `helix completion`: a script per shell, made from the commands themselves so that it cannot lag behind them. */
export const completionOf = (commands: CommandTable): Command => ({
  usage: 'completion <bash|zsh|fish>',
  about: 'Prints a script that lets your shell complete commands, options and their values.',
  positionals: { min: 1, max: 1 },
  options: {},
  examples: [
    'source <(helix completion bash)                                    in ~/.bashrc',
    'helix completion zsh > "$fpath[1]/_helix"                          once; then start a new shell',
    'helix completion fish > ~/.config/fish/completions/helix.fish      once',
  ],
  run: async ({ positionals: [shell = ''], terminal }) => {
    const render = Object.hasOwn(RENDERERS, shell) ? RENDERERS[shell] : undefined;
    if (render === undefined) {
      throw new HelixError('usage', `there is no completion for ${JSON.stringify(shell)}`, {
        hint: suggestion(shell, Object.keys(RENDERERS)),
      });
    }
    terminal.out(render(await completedCommands(commands)));
    return EXIT.passed;
  },
});

async function completedCommands(table: CommandTable, group = ''): Promise<Completed[]> {
  const commands = Object.entries(table).map(async ([name, entry]): Promise<Completed> => {
    const path = `${group}${name}`;
    if ('group' in entry) {
      const inner = await completedCommands((await entry.group()).commands, `${path} `);
      const help = completedOption('help', HELP, '');
      return { path, name, summary: entry.summary, options: [help], ...NOTHING, commands: inner, below: [] };
    }
    const command = await entry.load();
    const offered = Object.entries(command.options).filter(([, { hidden }]) => hidden !== true);
    const options = Object.entries({ ...Object.fromEntries(offered), help: HELP });
    const below = await completedBelow(entry.below ?? {}, path);
    return {
      path,
      name,
      summary: entry.summary,
      options: options.map(([option, settings]) => completedOption(option, settings, command.usage)),
      ...positionals(name, command),
      ...(name === 'approve' && { first: [...SHIPPED_APPROVALS, ...below.map((each) => each.name)] }),
      commands: [],
      below,
    };
  });
  const help = {
    path: `${group}help`,
    name: 'help',
    summary: 'help on a command',
    options: [],
    commands: [],
    below: [],
  };
  return [...(await Promise.all(commands)), { ...help, ...NOTHING, words: Object.keys(table) }];
}

async function completedBelow(table: CommandTable, path: string): Promise<Completed[]> {
  return (await completedCommands(table, `${path} `)).filter(({ name }) => name !== 'help');
}

/** Agents that need no helix.yaml. */
const AGENTS = ['scripted', 'claude-code', 'codex'];

const HELP: CommandOption = { type: 'boolean', short: 'h', help: 'show this text' };

function completedOption(name: string, option: CommandOption, usage: string): CompletedOption {
  return {
    name,
    help: option.help,
    ...present({ short: option.short }),
    takesValue: option.type === 'string',
    values: option.type === 'string' ? valuesOf(name, usage) : [],
    files: option.type === 'string' && /FILE|DIR/.test(option.value ?? ''),
  };
}

/** What an option's value can be: from the usage, where it is written as `--format text|json`, or from what HELIX ships. */
function valuesOf(name: string, usage: string): readonly string[] {
  const written = new RegExp(`--${name} ([a-z-]+(?:\\|[a-z-]+)+)`).exec(usage)?.[1];
  if (written !== undefined) return written.split('|');
  if (name === 'agent') return AGENTS;
  return name === 'type' ? shippedTypes() : [];
}

function shippedTypes(): string[] {
  const files = readdirSync(join(SHIPPED_TEMPLATES, 'project-types'));
  return files.filter((file) => file.endsWith('.yaml')).map((file) => file.slice(0, -'.yaml'.length));
}

const NOTHING = { words: [], first: [], paths: 'none' } as const;

function positionals(
  name: string,
  { usage, positionals: { max } }: Command,
): Pick<Completed, 'words' | 'first' | 'paths'> {
  if (/[<[](?:id\|)?(?:paths?…?|files…[^>]*|adr|concept|old)[>\]]/.test(usage)) return { ...NOTHING, paths: 'files' };
  const written = /<([a-z-]+(?:\|[a-z-]+)+)>/.exec(usage)?.[1];
  if (written !== undefined) return { ...NOTHING, words: written.split('|') };
  if (name === 'schema') return { ...NOTHING, words: Object.keys(FORMATS) };
  return { ...NOTHING, paths: max > 0 && usage.includes('[dir]') ? 'directories' : 'none' };
}
