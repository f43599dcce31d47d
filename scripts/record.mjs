// `node scripts/record.mjs`: makes the recordings of the documents anew: docs/run.svg, docs/decide.cast and the session that
// docs/escalation.md quotes from it. Needs script(1) of util-linux, for a terminal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'helix-record-'));
const { NO_COLOR, FORCE_COLOR, ...surroundings } = process.env;
const PATH = `${join(root, 'bin')}:${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
const ESC = '\u001b';
const COLOUR = new RegExp(`${ESC}\\[[\\d;]*m`, 'g');
/** Where a terminal moves or erases, and what is written between. */
const WORDS = new RegExp(`(${ESC}\\[\\d*[AJ]|\\r?\\n|\\r)|((?:${COLOUR.source}|[^${ESC}\\r\\n])+)`, 'g');
/** Nobody can type into a recording, and whether this line comes depends on how long the agents work. */
const HINT = new RegExp(`(?:${COLOUR.source})*t and Enter: [^${ESC}\\r\\n]*(?:${COLOUR.source})*\\r?\\n`, 'g');
/** How many letters of a line fit into the picture. */
const WIDE = 88;
const KEY_MS = 40;
const THINK_MS = 1500;

/** Runs a command on a terminal; gives its pieces of output with their times, and types what `answers` has when it is asked. */
async function record(command, { cwd, columns, term, answers = [] }) {
  const env = { ...surroundings, PATH, HOME: home, XDG_STATE_HOME: join(home, 'state'), TERM: term };
  const child = spawn('script', ['-qec', `stty cols ${columns} rows 60; ${command}`, '/dev/null'], { cwd, env });
  const pieces = [];
  let asked = '';
  child.stdout.on('data', (data) => {
    const words = String(data).replaceAll(HINT, '');
    if (words !== '') pieces.push({ at: performance.now(), text: words });
    asked += String(data);
    const [next] = answers;
    if (next === undefined || !asked.includes(next.prompt)) return;
    answers.shift();
    asked = '';
    setTimeout(() => child.stdin.write(`${next.types}\n`), THINK_MS);
  });
  const [code] = await once(child, 'close');
  return { code, pieces, text: pieces.map(({ text }) => text).join('') };
}

const CLASSES = { 1: 'strong', 2: 'dim', 31: 'bad', 32: 'good', 33: 'warn' };

/** A line of a terminal in SVG. */
function drawn(line) {
  const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const [first = '', ...rest] = line.split(`${ESC}[`);
  const parts = rest.map((part) => {
    const [, codes = '', text = ''] = /^([\d;]*)m(.*)$/s.exec(part) ?? [];
    const name = codes.split(';').flatMap((code) => CLASSES[code] ?? [])[0];
    return name === undefined ? escaped(text) : `<tspan class="${name}">${escaped(text)}</tspan>`;
  });
  return escaped(first) + parts.join('');
}

function fitting(line) {
  return line.length > WIDE && !line.includes(ESC) ? `${line.slice(0, WIDE - 1)}…` : line;
}

/** docs/run.svg: what npm start prints up to its hints, with its colours and without what a spinner draws. */
async function picture() {
  const command = `TMPDIR=${home} node ${join(root, 'scripts/start.mjs')}`;
  const { code, text } = await record(command, { cwd: home, columns: 78, term: 'xterm-256color' });
  if (code !== 0) throw new Error(`npm start ended with ${code}:\n${text}`);
  const said = settled(text);
  const printed = said.slice(0, said.indexOf('That was simulated')).trim().split('\n');
  const shown = printed.map(fitting).map((line) => line.replace(/^\$/, `${ESC}[2m$${ESC}[0m`));
  const height = shown.length * 20 + 72;
  const rows = shown.flatMap((line, n) =>
    line === '' ? [] : [`    <text x="24" y="${60 + n * 20}">${drawn(line)}</text>`],
  );
  const old = readFileSync(join(root, 'docs/run.svg'), 'utf8');
  const head = old.slice(0, old.indexOf('    <text '));
  const sized = head
    .replace(
      /viewBox="0 0 740 \d+" width="740" height="\d+"/,
      `viewBox="0 0 740 ${height}" width="740" height="${height}"`,
    )
    .replace(/width="739" height="\d+"/, `width="739" height="${height - 1}"`);
  writeFileSync(join(root, 'docs/run.svg'), `${sized}${rows.join('\n')}\n  </g>\n</svg>\n`);
}

/** What stays on the screen: lines that were drawn again are there once. */
function settled(text) {
  const lines = [''];
  let row = 0;
  for (const [, control, word] of text.matchAll(WORDS)) {
    if (word !== undefined) lines[row] += word;
    else if (control.endsWith('A')) row -= Number(control.slice(2, -1) || 1);
    else if (control.endsWith('J')) lines.splice(row, lines.length, '');
    else if (control.endsWith('\n')) {
      row += 1;
      lines[row] ??= '';
    }
  }
  return lines.join('\n');
}

/** docs/decide.cast, and its words in docs/escalation.md: how the question of examples/escalation is answered. */
async function session() {
  const ladder = join(home, 'ladder');
  cpSync(join(root, 'examples/escalation'), ladder, { recursive: true });
  const how = { cwd: ladder, columns: 100, term: 'xterm-256color' };
  const { code, text } = await record('helix run --trust --no-wait', how);
  const [request] = /\d{8}-[0-9a-f]{8}-q1/.exec(text) ?? [];
  if (code !== 3 || request === undefined) throw new Error(`helix run asked nothing, and ended with ${code}:\n${text}`);
  const answers = [
    { prompt: 'empty leaves it open: ', types: 'A' },
    { prompt: 'guidance (may be empty): ', types: 'the history comes next quarter' },
  ];
  const command = `helix decide ${request}`;
  const answered = await record(command, { ...how, answers });
  if (answered.code !== 0) throw new Error(`${command} ended with ${answered.code}:\n${answered.text}`);
  const typed = [...`${command}\r\n`.matchAll(/\r\n|./g)].map(([key], n) => [KEY_MS * (n + 1), key]);
  const begun = (answered.pieces[0]?.at ?? 0) - KEY_MS * (typed.length + 5);
  const told = answered.pieces.map(({ at, text: piece }) => [at - begun, piece.replaceAll(home, '~')]);
  const end = (told.at(-1)?.[0] ?? 0) + 20;
  const title = {
    version: 2,
    width: 100,
    height: 60,
    title: 'helix decide',
    env: { TERM: how.term, SHELL: '/bin/bash' },
  };
  const events = [[0, '$ '], ...typed, ...told, [end, '$ ']].map(([ms, piece]) => [Math.round(ms) / 1000, 'o', piece]);
  writeFileSync(join(root, 'docs/decide.cast'), [title, ...events].map((each) => `${JSON.stringify(each)}\n`).join(''));
  quote(settled(`$ ${command}\r\n${told.map(([, piece]) => piece).join('')}`));
}

/** Puts the session, without colours and up to the end of the run, where the page has the one before. */
function quote(text) {
  const page = join(root, 'docs/escalation.md');
  const said = text
    .replaceAll(COLOUR, '')
    .split('\n')
    .map((line) => line.trimEnd());
  const words = said.slice(0, said.findIndex((line) => /^run +passed$/.test(line)) + 1);
  const fence = '```';
  const block = new RegExp(`(?<=^${fence}text\\n)\\$ helix decide [\\s\\S]*?(?=^${fence}$)`, 'm');
  writeFileSync(
    page,
    readFileSync(page, 'utf8').replace(block, () => `${words.join('\n').trimEnd()}\n`),
  );
}

try {
  await picture();
  await session();
} finally {
  rmSync(home, { recursive: true, force: true });
}
