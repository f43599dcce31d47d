import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createRedactor } from '../../text/secrets/redact.ts';
import { createProcesses } from './processes.ts';
import { collectOutput } from './program-output.ts';
import { program, scratchDirectory, shell } from './programs.fixture.ts';

const processes = createProcesses({ graceMs: 300 });
const dir = scratchDirectory();
const MB = 1024 * 1024;

type Measured = {
  end: { ended: string; tail: string; stdoutBytes: number };
  lines: number;
  cut: number;
  peak: number;
  grown: number;
};

/** Runs a program in a HELIX of its own and tells what that cost in memory. */
async function measure(argv: readonly string[], limits: { outputBytes?: number }): Promise<Measured> {
  const script = `
    import { createProcesses } from ${JSON.stringify(new URL('./processes.ts', import.meta.url).href)};
    const [argv, limits] = JSON.parse(process.argv[1]);
    const before = process.memoryUsage().rss;
    let [lines, cut] = [0, 0];
    const onLine = (line, stream, truncated) => { lines += 1; if (truncated) cut += line.length; };
    const spec = { argv, cwd: '/', env: { PATH: process.env.PATH }, marker: 'flood-' + process.pid, wallMs: 240_000 };
    const end = await createProcesses({ graceMs: 300 }).run({ ...spec, ...limits, onLine });
    const peak = process.resourceUsage().maxRSS * 1024;
    console.log(JSON.stringify({ end, lines, cut, peak, grown: peak - before }));`;
  const args = ['--input-type=module', '--eval', script, JSON.stringify([argv, limits])];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 10 * MB });
  return JSON.parse(stdout) as Measured;
}

function expectSmall(measured: Measured): void {
  expect(measured.grown).toBeLessThan(150 * MB);
  expect(measured.peak).toBeLessThan(250 * MB);
  expect(measured.end.tail.length).toBeLessThanOrEqual(64 * 1024);
}

test('a line of 600 MB arrives once, cut, and costs little memory', async () => {
  const giant = `head -c 600000000 /dev/zero | tr '\\0' a; echo; echo next`;
  const measured = await measure(['sh', '-c', giant], { outputBytes: 1000 * MB });
  expect(measured).toMatchObject({ lines: 2, cut: MB, end: { ended: 'exit', stdoutBytes: 600_000_006 } });
  expectSmall(measured);
});

test('endless output ends at the limit and costs little memory', async () => {
  const measured = await measure(['yes', 'nothing but words'], {});
  expect(measured.end.ended).toBe('output_limit');
  expect(measured.end.stdoutBytes).toBeGreaterThan(64 * MB);
  expect(measured.lines).toBe(Math.ceil((64 * MB) / 18));
  expectSmall(measured);
});

test('300,000 lines on stderr all arrive', async () => {
  const measured = await measure(['sh', '-c', 'seq 300000 >&2; exit 3'], {});
  expect(measured).toMatchObject({ lines: 300_000, end: { ended: 'exit', exitCode: 3, stdoutBytes: 0 } });
  expect(measured.end.tail.endsWith('299999\n300000\n')).toBe(true);
  expectSmall(measured);
});

test('a program that floods and ignores every polite signal is ended at the limit', async () => {
  const stubborn = shell('trap "" TERM PIPE; while :; do echo flood 2>/dev/null; done', { outputBytes: 10_000 });
  const end = await processes.run(stubborn);
  expect(end.ended).toBe('output_limit');
  expect(end.tail.length).toBeLessThanOrEqual(10_000);
});

test('the limit holds for what a program says just before it exits', async () => {
  expect((await processes.run(shell('seq 1000', { outputBytes: 1000 }))).ended).toBe('output_limit');
  expect((await processes.run(shell('seq 1000', { outputBytes: 3893 }))).ended).toBe('exit');
});

test('characters survive chunk borders, in lines and in the tail', async () => {
  const lines: string[] = [];
  const writer = `const b = Buffer.from('grüße €\\n'); let i = 0;
    const next = () => { if (i < b.length) process.stdout.write(b.subarray(i, ++i), () => setTimeout(next, 5)); }; next();`;
  const end = await processes.run(program([process.execPath, '-e', writer], { onLine: (line) => lines.push(line) }));
  expect(lines).toEqual(['grüße €']);
  expect(end.tail).toBe('grüße €\n');
});

test('what a busy HELIX has not read yet when the program exits is not lost', async () => {
  const lines: string[] = [];
  let blocked = false;
  const onLine = (line: string) => {
    lines.push(line);
    if (blocked) return;
    blocked = true;
    const until = performance.now() + 600;
    while (performance.now() < until);
  };
  await processes.run(shell('echo first; sleep 0.1; echo last', { onLine }));
  expect(lines).toEqual(['first', 'last']);
});

test('nor is what a child that holds the pipe says while HELIX is busy', async () => {
  let heard: readonly string[] | undefined;
  // Again where the pipes were closed before HELIX was made busy.
  while (heard === undefined) heard = await heardWhileBusy(mkdtempSync(join(dir, 'busy-')));
  expect(heard).toEqual(['last']);
});

async function heardWhileBusy(here: string): Promise<readonly string[] | undefined> {
  const until = (file: string) => `while [ ! -e ${here}/${file} ]; do sleep 0.01; done`;
  const child = `echo $$; : > ${here}/on; ${until('busy')}; echo last; : > ${here}/said; exec sleep 3600`;
  const lines: string[] = [];
  let [over, busy] = [false, false];
  const block = () => {
    if (over) return;
    busy = true;
    writeFileSync(join(here, 'busy'), '');
    const since = performance.now();
    while (!existsSync(join(here, 'said')) || performance.now() - since < 400);
  };
  const onLine = (line: string) => {
    if (lines.push(line) !== 2) return;
    const watch = setInterval(() => {
      if (existsSync(`/proc/${lines[0]}`)) return;
      clearInterval(watch);
      // Soon after the end, and at the end of a turn, so that the next one begins with what is due.
      setTimeout(() => setImmediate(block), 100);
    }, 5);
  };
  await processes.run(shell(`echo $$; env -i PATH="$PATH" setsid sh -c '${child}' & ${until('on')}`, { onLine }));
  over = true;
  process.kill(Number(lines[1]), 'SIGKILL');
  return busy ? lines.slice(2) : undefined;
}

const SECRET = 'tk_9fK2mQ7xW4pR8sV1cY6b';
const REDACTOR = createRedactor([{ name: 'PLANTED', value: SECRET }]);

/** What is heard of a program that says these pieces. */
function heard(pieces: readonly (string | Buffer)[], limits: { lineBytes?: number; outputBytes?: number } = {}) {
  const lines: string[] = [];
  const output = collectOutput({ ...limits, keepStdoutBytes: MB, onLine: (line) => lines.push(line) }, REDACTOR);
  for (const piece of pieces) output.write('stdout', Buffer.from(piece));
  output.end();
  return { lines, tail: output.tail(), stdout: output.stdout() };
}

test('a secret is heard by nobody, also when it comes byte by byte', () => {
  const text = `first ${SECRET}\n${SECRET} last`;
  const clean = text.replaceAll(SECRET, '[redacted PLANTED]');
  for (const pieces of [[text], [...text], [text.slice(0, 12), text.slice(12)]]) {
    expect(heard(pieces)).toEqual({ lines: clean.split('\n'), tail: clean, stdout: clean });
  }
});

test('a secret is masked in the tail, too, when the other stream says something in the middle of it', () => {
  const output = collectOutput({}, REDACTOR);
  const say = (stream: 'stdout' | 'stderr', text: string) => output.write(stream, Buffer.from(text));
  say('stdout', `before\nit is ${SECRET.slice(0, 11)}`);
  say('stderr', 'a warning\nand ');
  say('stdout', `${SECRET.slice(11)}\nafter`);
  expect(output.tail()).toBe('before\na warning\nit is [redacted PLANTED]\nafterand ');
});

test('no part of a secret is left where a line, the output or its tail is cut', () => {
  for (let part = 6; part < SECRET.length; part += 1) {
    const { lines } = heard([`${'x'.repeat(100 - part)}${SECRET}\nnext`], { lineBytes: 100 });
    expect(lines).toEqual([`${'x'.repeat(100 - part)}[redacted PLANTED]`, 'next']);
    const ended = heard(['x'.repeat(100 - part), SECRET], { outputBytes: 100 });
    expect([...ended.lines, ended.tail]).toEqual(Array(2).fill(`${'x'.repeat(100 - part)}[redacted PLANTED]`));
    const { tail } = heard([`${'y'.repeat(100_000)}\n`, SECRET, `${'z'.repeat(64 * 1024 - part - 1)}\n`]);
    expect(tail).not.toContain(SECRET.slice(-6));
  }
});

test('a private key nobody knows is masked line by line, and nothing after it', () => {
  const lines = [
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    'b3BlbnNzaC1rZXktdjE',
    'QyNTUxOQ==',
    '-----END OPENSSH PRIVATE KEY-----',
  ];
  expect(heard([[...lines, 'plain', ''].join('\n')]).lines).toEqual([
    lines[0],
    '[redacted private key]',
    '[redacted private key]',
    lines[3],
    'plain',
  ]);
});
