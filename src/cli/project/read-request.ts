import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { openProject } from '../../adapters/disk/project-directory.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Call } from '../call/command.ts';

const LIMIT = 256 * 1024;

/** What the user wants, from `--request`: stdin for `-`, the content of a file that exists, else the words themselves. */
export async function readRequest(call: Call): Promise<string | undefined> {
  const given = call.text('request');
  if (given === undefined) return undefined;
  const text = await textOf(given, call);
  if (text.trim() === '')
    throw new HelixError('usage', 'the request is empty', { hint: 'Say what you want, or leave --request out.' });
  if (Buffer.byteLength(text) > LIMIT) throw tooLarge();
  return text.endsWith('\n') ? text : `${text}\n`;
}

async function textOf(given: string, call: Call): Promise<string> {
  if (given === '-') return readStdin(call);
  if (existsSync(given) && statSync(given).isFile()) return readFile(given);
  if (/^\S+\.(md|markdown|txt|rst|adoc)$/i.test(given)) {
    throw new HelixError('usage', `there is no file ${given}`, {
      hint: 'If these are your words, not a file: add some more.',
    });
  }
  return given;
}

async function readFile(path: string): Promise<string> {
  const real = realpathSync(path);
  return (await openProject(dirname(real)).read(basename(real), LIMIT)) ?? '';
}

async function readStdin({ terminal }: Call): Promise<string> {
  if (process.stdin.isTTY === true) terminal.err('What do you want? End with Ctrl-D on a line of its own.\n');
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of process.stdin) {
    pieces.push(piece as Buffer);
    size += (piece as Buffer).length;
    if (size > LIMIT) throw tooLarge();
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch (error) {
    throw new HelixError('usage', 'the request is not UTF-8 text', {
      hint: 'Convert it, for example with iconv.',
      cause: error,
    });
  }
}

function tooLarge(): HelixError {
  return new HelixError('usage', `the request is larger than ${LIMIT / 1024} KB`, {
    hint: 'Keep the request short and put long material into files of the project.',
  });
}
