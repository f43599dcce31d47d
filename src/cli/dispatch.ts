import { HelixError } from '../domain/helix-error.ts';
import { suggestion } from '../text/did-you-mean.ts';
import { callCommand } from './command.ts';
import { COMMANDS } from './commands.ts';
import { withExitCode } from './exit-code.ts';
import { openTerminal } from './terminal.ts';

/** Finds the command and runs it; resolves to the exit code. */
export async function dispatch(name: string | undefined, args: readonly string[]): Promise<number> {
  const terminal = openTerminal();
  return withExitCode(terminal, async () => {
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
      const wanted = name === 'help' ? args[0] : undefined;
      if (wanted === undefined) {
        terminal.out(overview());
        return 0;
      }
      return callCommand(await find(wanted).load(), ['--help'], terminal);
    }
    return callCommand(await find(name).load(), args, terminal);
  });
}

function find(name: string) {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) {
    const near = suggestion(name, Object.keys(COMMANDS));
    throw new HelixError('usage', `there is no command ${JSON.stringify(name)}`, {
      hint: `${near ? `${near} ` : ''}See them all: helix --help`,
    });
  }
  return entry;
}

function overview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length)) + 2;
  return [
    'helix: runs coding agents through phases they cannot talk their way past',
    '',
    'Usage: helix <command> [options]',
    '',
    ...Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}${summary}`),
    '',
    'Try it without an agent or a key:',
    '  helix new demo --type documentation --request "Explain our API"',
    '  helix run demo --agent scripted',
    '',
    'Help on a command: helix <command> --help',
    'Exit codes: 0 passed, 1 failed, 2 usage or plan, 3 waiting for a human, 4 budget spent, 5 parked, 130 interrupted',
    '',
  ].join('\n');
}
