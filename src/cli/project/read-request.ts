import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { openProject } from '../../adapters/disk/project-directory.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { REQUEST_BYTES, requestTooLong, requireShort } from '../../domain/request-limit.ts';
import type { Call } from '../call/command.ts';

/** What the user wants, from `--request`: stdin for `-`, the content of a file that exists, else the words themselves. */
export async function readRequest(call: Call): Promise<string | undefined> {
  const given = call.text('request');
  if (given === undefined) return undefined;
  const text = await readWords(given, call, 'request');
  if (text.trim() === '')
    throw new HelixError('usage', 'the request is empty', { hint: 'Say what you want, or leave --request out.' });
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** What somebody asks for, given as words, as a file or, with `-`, on stdin; `what` is the name it has in messages. */
export async function readWords(given: string, call: Call, what: string): Promise<string> {
  return requireShort(await textOf(given, call, what), what);
}

async function textOf(given: string, call: Call, what: string): Promise<string> {
  if (given === '-') return readStdin(call, what);
  if (isFile(given)) return readFile(given, what);
  if (/^\S+\.(md|markdown|txt|rst|adoc)$/i.test(given)) {
    throw new HelixError('usage', `there is no file ${given}`, {
      hint: 'If these are your words, not a file: add some more.',
    });
  }
  return given;
}

/** Words that are too long for a path are none. */
function isFile(given: string): boolean {
  return given.length < 4096 && existsSync(given) && statSync(given).isFile();
}

async function readFile(path: string, what: string): Promise<string> {
  const real = realpathSync(path);
  if (statSync(real).size > REQUEST_BYTES) throw requestTooLong(what);
  return (await openProject(dirname(real)).read(basename(real), REQUEST_BYTES)) ?? '';
}

async function readStdin({ terminal }: Call, what: string): Promise<string> {
  if (process.stdin.isTTY === true) terminal.err('What do you want? End with Ctrl-D on a line of its own.\n');
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of process.stdin) {
    pieces.push(piece as Buffer);
    size += (piece as Buffer).length;
    if (size > REQUEST_BYTES) throw requestTooLong(what);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch (error) {
    throw new HelixError('usage', `the ${what} is not UTF-8 text`, {
      hint: 'Convert it, for example with iconv.',
      cause: error,
    });
  }
}
