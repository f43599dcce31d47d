import type { ParseArgsOptionDescriptor } from 'node:util';
import { HelixError } from '../../domain/helix-error.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import type { Terminal } from './terminal.ts';

/** An option of a command: how it is parsed, and what its help says. */
export type CommandOption = ParseArgsOptionDescriptor & {
  readonly help: string;
  readonly value?: string;
  /** Known, so that it is refused with a reason, but not offered. */
  readonly hidden?: true;
};

/** What a command is called with, checked against what it takes. */
export type Call = {
  readonly positionals: readonly string[];
  readonly flag: (name: string) => boolean;
  /** What was said about a flag: yes, no by `--no-…`, or nothing. */
  readonly choice: (name: string) => boolean | undefined;
  readonly text: (name: string) => string | undefined;
  /** All values of an option that can be given several times, in order. */
  readonly texts: (name: string) => readonly string[];
  readonly terminal: Terminal;
};

/** One command of `helix`. */
export type Command = {
  readonly usage: string;
  readonly about: string;
  readonly positionals: { readonly min: number; readonly max: number };
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly examples: readonly string[];
  readonly run: (call: Call) => Promise<number>;
};

/** A command that is loaded only when it is called, or a group of them. */
export type CommandEntry =
  | {
      readonly summary: string;
      readonly load: () => Promise<Command>;
      /** True for a command that starts without zod, which costs more time than all else at the start. */
      readonly light?: true;
      /** True for a command that acts in its user's name, which no agent may do; else the options by which it does so. */
      readonly personal?: true | readonly string[];
      /** Commands that are called by a word after its own. */
      readonly below?: CommandTable;
    }
  | { readonly summary: string; readonly group: () => Promise<CommandGroup> };

/** Commands by name. */
export type CommandTable = Readonly<Record<string, CommandEntry>>;

/** Commands that are called by a common name: `helix` itself, or the first word after it. */
export type CommandGroup = {
  readonly name: string;
  readonly about: string;
  readonly commands: CommandTable;
  /** What its help says at the end. */
  readonly notes: readonly string[];
};

/** `--json`, which every command with a result takes. */
export const JSON_OPTION = { type: 'boolean', help: 'print one JSON document to stdout' } as const;

/** Checks the words after a command's name and runs it, or prints its help. */
export async function callCommand(command: Command, args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse(command, args);
  if (values.help === true) {
    terminal.out(renderHelp(command));
    return 0;
  }
  const { min, max } = command.positionals;
  if (positionals.length < min || positionals.length > max) {
    throw new HelixError(
      'usage',
      positionals.length < min ? 'something is missing' : `unexpected: ${positionals.slice(max).join(' ')}`,
      {
        hint: `Usage: helix ${command.usage}`,
      },
    );
  }
  return command.run({
    positionals,
    flag: (name) => values[name] === true,
    choice: (name) => (typeof values[name] === 'boolean' ? values[name] : undefined),
    text: (name) => textOf(values[name]),
    texts: (name) => [values[name] ?? []].flat().map(String),
    terminal,
  });
}

type Parsed = { readonly values: Readonly<Record<string, unknown>>; readonly positionals: readonly string[] };

function parse(command: Command, args: readonly string[]): Parsed {
  const options: Record<string, ParseArgsOptionDescriptor> = {
    ...command.options,
    help: { type: 'boolean', short: 'h' },
  };
  // An import of node:util touches all of its exports, which takes longer than all else that is done here.
  const { parseArgs } = process.getBuiltinModule('node:util');
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    const unknown = /'(--?[^' =]+)/.exec((error as Error).message)?.[1] ?? '';
    const names = Object.keys(options).map((name) => `--${name}`);
    const known = options[unknown.replace(/^--?/, '')];
    if (known?.type === 'string') {
      const value = (command.options[unknown.slice(2)] as { readonly value?: string } | undefined)?.value ?? 'VALUE';
      throw new HelixError('usage', `${unknown} needs a value`, { hint: `Give it one: ${unknown}=${value}` });
    }
    const near = known === undefined ? suggestion(unknown, names) : '';
    const message = (error as Error).message.split('. ')[0] ?? '';
    throw new HelixError('usage', message, { hint: `${near ? `${near} ` : ''}Usage: helix ${command.usage}` });
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function renderHelp(command: Command): string {
  const entries = [
    ...Object.entries(command.options).filter(([, { hidden }]) => hidden !== true),
    ['help', { type: 'boolean', short: 'h', help: 'show this text' }] as const,
  ];
  const names = entries.map(([name, option]) => {
    const value = 'value' in option && option.value !== undefined ? ` ${option.value}` : '';
    return `${option.short === undefined ? '   ' : `-${option.short},`} --${name}${value}`;
  });
  const width = Math.max(...names.map((name) => name.length)) + 2;
  return [
    `helix ${command.usage}`,
    '',
    command.about,
    '',
    'Options:',
    ...entries.map(([, option], index) => `  ${(names[index] ?? '').padEnd(width)}${option.help}`),
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
    '',
  ].join('\n');
}
