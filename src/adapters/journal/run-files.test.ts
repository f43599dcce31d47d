import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { contents, scratch } from '../../../test/scratch.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { sha256 } from '../../text/digest.ts';
import { createRedactor } from '../../text/secrets/redact.ts';
import { RunFiles } from './run-files.ts';

const MEGABYTE = 1024 * 1024;

async function written(...lines: string[]): Promise<{ dir: string; digest: string }> {
  const dir = scratch();
  const writer = await new RunFiles(dir).lines('logs/t.jsonl');
  for (const line of lines) writer.line(line);
  return { dir, digest: await writer.close() };
}

it('a file is written whole, over the old one, with the folders it needs and for the user alone', async () => {
  const dir = scratch();
  const files = new RunFiles(join(dir, 'runs/r1'));
  for (const text of ['old', 'new']) await files.write('phases/a/x.json', text);
  expect(contents(dir)).toEqual({ 'runs/r1/phases/a/x.json': 'new' });
  expect(statSync(join(dir, 'runs/r1/phases/a/x.json')).mode & 0o777).toBe(0o600);
});

it('who is reading the old file goes on reading all of it', async () => {
  const dir = scratch({ x: 'old' });
  const reader = openSync(join(dir, 'x'), 'r');
  await new RunFiles(dir).write('x', 'the new text');
  expect(readFileSync(reader, 'utf8')).toBe('old');
  closeSync(reader);
  expect(contents(dir)).toEqual({ x: 'the new text' });
});

it('a write that fails keeps the old file, leaves nothing half done and says what to do', async () => {
  const dir = scratch({ 'a-file': 'x' });
  mkdirSync(join(dir, 'a-folder/full'), { recursive: true });
  const files = new RunFiles(dir);
  for (const path of ['a-file/below', 'a-folder']) {
    const error = await files.write(path, 'new').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HelixError);
    expect(error).toMatchObject({ code: 'io', hint: expect.any(String) });
  }
  expect(readdirSync(dir).sort()).toEqual(['a-file', 'a-folder']);
  expect(readFileSync(join(dir, 'a-file'), 'utf8')).toBe('x');
});

it('lines come out in order, whatever their length, under the digest of all of them', async () => {
  const lines = ['first', '', 'ü'.repeat(30_000), 'x'.repeat(200_000), '{"a":1}', 'last'];
  const { dir, digest } = await written(...lines);
  const text = lines.map((line) => `${line}\n`).join('');
  expect(contents(dir)).toEqual({ 'logs/t.jsonl': text });
  expect(digest).toBe(sha256(text));
});

it('what was said is in the file after a turn of the event loop', async () => {
  const dir = scratch();
  const writer = await new RunFiles(dir).lines('t');
  writer.line('said');
  await turn();
  expect(contents(dir)).toEqual({ t: 'said\n' });
  await writer.close();
});

it('who says nothing leaves no file', async () => {
  const { dir, digest } = await written();
  expect(contents(dir)).toEqual({});
  expect(digest).toBe(sha256(''));
});

it('the transcripts of interrupted attempts are set aside, none is lost', async () => {
  const dir = scratch();
  const files = new RunFiles(dir);
  for (const text of ['one', 'two', 'three']) {
    const writer = await files.lines('t');
    writer.line(text);
    await writer.close();
  }
  expect(contents(dir)).toEqual({ t: 'three\n', 't.earlier-1': 'one\n', 't.earlier-2': 'two\n' });
});

it.each([
  1000, 100_000,
])('a transcript ends at 64 MB with a whole line and a note, also in lines of %i', async (length) => {
  const dir = scratch();
  const writer = await new RunFiles(dir).lines('t');
  const line = 'x'.repeat(length - 1);
  for (let n = 0; n < (80 * MEGABYTE) / length; n += 1) writer.line(line);
  const digest = await writer.close();
  const bytes = readFileSync(join(dir, 't'));
  expect(bytes.length).toBeLessThanOrEqual(64 * MEGABYTE + 100);
  expect(bytes.length).toBeGreaterThan(63 * MEGABYTE);
  const end = bytes.subarray(-2 * length).toString();
  expect(end.split('\n').slice(-2)).toEqual(['{"helix":"the transcript is cut here: 64 MB"}', '']);
  expect(end.split('\n').at(-3)).toBe(line);
  expect(digest).toBe(sha256(bytes));
});

it.each([
  't',
  'folder/t',
])('a transcript that cannot be written fails with a way out, at the latest when it is closed: %s', async (path) => {
  const dir = scratch();
  const writer = await new RunFiles(dir).lines(path);
  if (path === 't') mkdirSync(join(dir, 't'));
  else writeFileSync(join(dir, 'folder'), 'a file');
  const failures: unknown[] = [];
  for (let n = 0; n < 3; n += 1) {
    try {
      writer.line('x'.repeat(50_000));
    } catch (error) {
      failures.push(error);
    }
    await turn();
  }
  const atClose = await writer.close().catch((thrown: unknown) => thrown);
  for (const error of [...failures, atClose]) expect(error).toMatchObject({ code: 'io' });
  expect(failures.length).toBeGreaterThan(0);
});

it('no secret gets into a file, and the digest is that of what is there', async () => {
  const value = 'tk_9fK2mQ7xW4pR8sV1cY6b';
  const dir = scratch();
  const files = new RunFiles(dir, createRedactor([{ name: 'PLANTED', value }]));
  await files.write('report.json', JSON.stringify({ said: `it is ${value}` }));
  const writer = await files.lines('t.jsonl');
  for (const line of [value, Buffer.from(value).toString('hex'), 'x'.repeat(70_000) + value]) writer.line(line);
  const digest = await writer.close();
  const mark = '[redacted PLANTED]';
  const transcript = [mark, mark, 'x'.repeat(70_000) + mark, ''].join('\n');
  expect(contents(dir)).toEqual({ 'report.json': `{"said":"it is ${mark}"}`, 't.jsonl': transcript });
  expect(digest).toBe(sha256(transcript));
});

it('the last lines of a file are told only if the whole has the digest that is given', async () => {
  const lines = ['x'.repeat(200_000), 'second', 'third'];
  const { dir } = await written(...lines);
  const files = new RunFiles(dir);
  const digest = createHash('sha256')
    .update(`${lines.join('\n')}\n`)
    .digest('hex');
  expect(await files.lastLines('logs/t.jsonl', 8, digest)).toEqual(['third', '']);
  const other = createHash('sha256').update('third\n').digest('hex');
  await expect(files.lastLines('logs/t.jsonl', 8, other)).rejects.toThrow('is not what was written');
});

it('the last lines of a file are whole, and those of a short one are all of it', async () => {
  const { dir } = await written('first', 'second', 'third');
  const files = new RunFiles(dir);
  expect(await files.lastLines('logs/t.jsonl', 8)).toEqual(['third', '']);
  expect(await files.lastLines('logs/t.jsonl', 1000)).toEqual(['first', 'second', 'third', '']);
  expect(await files.lastLines('logs/none.jsonl', 8)).toEqual([]);
});

it('the lines of a file can be read again, and a file nobody wrote has none', async () => {
  const { dir } = await written('{"a":1}', '{"b":2}');
  const files = new RunFiles(dir);
  expect(await files.readLines('logs/t.jsonl')).toEqual(['{"a":1}', '{"b":2}', '']);
  expect(await files.readLines('logs/none.jsonl')).toEqual([]);
  expect(await files.changedAt('logs/t.jsonl')).toBe(statSync(join(dir, 'logs/t.jsonl')).mtimeMs);
  expect(await files.changedAt('logs/none.jsonl')).toBeUndefined();
  await expect(files.readLines('logs')).rejects.toMatchObject({ code: 'io' });
});
