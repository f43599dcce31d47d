import { HelixError } from '../domain/helix-error.ts';
import { suggestion } from '../text/did-you-mean.ts';
import { type CommandEntry, type CommandGroup, callCommand } from './call/command.ts';
import { withExitCode } from './call/exit-code.ts';
import { openTerminal, type Terminal } from './call/terminal.ts';
import { HELIX } from './commands.ts';

/** Finds the command and runs it; resolves to the exit code. */
export async function dispatch(words: readonly string[]): Promise<number> {
  const terminal = openTerminal();
  return withExitCode(terminal, () => callIn(HELIX, words, terminal));
}

async function callIn(group: CommandGroup, words: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...args] = words;
  if (name === 'help' && args.length > 0) return callIn(group, [...args, '--help'], terminal);
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    terminal.out(overview(group));
    return 0;
  }
  const entry = find(group, name);
  if ('group' in entry) return callIn(await entry.group(), args, terminal);
  const { below = {} } = entry;
  if (Object.hasOwn(below, args[0] ?? '')) {
    return callIn({ name: `helix ${name}`, about: entry.summary, commands: below, notes: [] }, args, terminal);
  }
  const personal = entry.personal === true ? name : entry.personal?.find((option) => args.includes(option));
  if (personal !== undefined) {
    const called = personal === name ? name : `${name} ${personal}`;
    (await import('./call/refuse-agents.ts')).refuseAgents(called, args);
  }
  if (!entry.light) await (await import('./call/lean-start.ts')).leanStart();
  return callCommand(await entry.load(), args, terminal);
}

function find({ name: group, commands }: CommandGroup, name: string): CommandEntry {
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) {
    const near = suggestion(name, Object.keys(commands));
    throw new HelixError('usage', `there is no command ${JSON.stringify(name)}`, {
      hint: `${near ? `${near} ` : ''}See them all: ${group} --help`,
    });
  }
  return entry;
}

function overview({ name, about, commands, notes }: CommandGroup): string {
  const width = Math.max(...Object.keys(commands).map((command) => command.length)) + 2;
  return [
    `${name}: ${about}`,
    '',
    `Usage: ${name} <command> [options]`,
    '',
    ...Object.entries(commands).map(([command, { summary }]) => `  ${command.padEnd(width)}${summary}`),
    '',
    ...notes,
    '',
  ].join('\n');
}
