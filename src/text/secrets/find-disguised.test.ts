import { expect, it } from 'vitest';
import { workMeter } from '../../../test/work-meter.ts';
import { createRedactor } from './redact.ts';

const PLAIN = 'tk_9fK2mQ7xW4pR8sV1cY6b';
const ODD = 'pL4nt/ed+S3cr"et\\of&ünïts~2026!';
const KNOWN = createRedactor([
  { name: 'PLAIN', value: PLAIN },
  { name: 'ODD', value: ODD },
]);
const MEGABYTE = 1024 * 1024;

const coded = (text: string, code: (character: string) => string) => [...text].map(code).join('');
const hex = (character: string, width: number) => character.charCodeAt(0).toString(16).padStart(width, '0');
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();
const wide = (text: string) => Buffer.from([...text].flatMap((each) => [each.charCodeAt(0), 0, 0, 0]));
const broken = (text: string, width: number, between: string) =>
  text.replace(new RegExp(`.{${width}}`, 'g'), `$&${between}`);
const base64 = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding).toString('base64');

it.each<[how: string, file: string | Buffer]>([
  ['with every character as an escape', coded(PLAIN, (each) => `\\u${hex(each, 4)}`)],
  ['with some characters as escapes', PLAIN.replace('K', '\\u004b').replace('W', '\\x57').replace('Y', '\\u{59}')],
  ['as escapes in a string in a string', coded(PLAIN, (each) => `\\\\\\\\u${hex(each, 4)}`)],
  ['in long escapes', coded(PLAIN, (each) => `\\U${hex(each, 8)}`)],
  ['in octal escapes', coded(PLAIN, (each) => `\\${each.charCodeAt(0).toString(8).padStart(3, '0')}`)],
  ['as characters of mark-up', coded(PLAIN, (each) => `&#${each.charCodeAt(0)};`)],
  ['as hexadecimal characters of mark-up', coded(PLAIN, (each) => `&#x${hex(each, 2)};`)],
  ['in an address of which only some is encoded', PLAIN.replace('_', '%5f').replace('Q', '%51')],
  ['in UTF-16', Buffer.from(`\ufeffkey: ${PLAIN}\n`, 'utf16le')],
  ['in UTF-16 that begins with the larger byte', swapped(`\ufeffkey: ${PLAIN}\n`)],
  ['in UTF-16 after an odd byte', Buffer.concat([Buffer.from('x'), Buffer.from(PLAIN, 'utf16le')])],
  ['in UTF-32', wide(PLAIN)],
  [
    'in UTF-16 as escapes',
    Buffer.from(
      coded(PLAIN, (each) => `\\u${hex(each, 4)}`),
      'utf16le',
    ),
  ],
  ['in base64 in short lines', broken(base64(`user:${PLAIN}`), 8, '\n')],
  ['in base64 in indented lines of Windows', broken(base64(`${PLAIN} `), 11, '\r\n    ')],
  ['in base64 in quoted lines', broken(base64(PLAIN), 10, '"\n  "')],
  ['in base64 with line breaks in a string', broken(base64(PLAIN), 10, '\\n')],
  ['in base64 of UTF-16', base64(PLAIN, 'utf16le')],
  ['in base64 of UTF-16 in lines', broken(base64(`-${PLAIN}-`, 'utf16le'), 20, '\n')],
  ['in base64 in lines of UTF-16', Buffer.from(broken(base64(PLAIN), 10, '\r\n'), 'utf16le')],
  ['in hex in lines', broken(Buffer.from(PLAIN).toString('hex'), 16, '\n')],
  ['as a list of numbers', [...PLAIN].map((each) => each.charCodeAt(0)).join(', ')],
  ['as a list of hexadecimal numbers', coded(PLAIN, (each) => `0x${hex(each, 2)}, `)],
  ['as a list of numbers in lines', `[\n${coded(PLAIN, (each) => `  ${each.charCodeAt(0)},\r\n`)}]`],
  ['as a list of numbers with types', coded(PLAIN, (each) => `${each.charCodeAt(0)}u8, `)],
  ['in hex by bytes', broken(Buffer.from(PLAIN).toString('hex'), 2, ':')],
])('a secret is found in a file %s', (_, file) => {
  expect(KNOWN.find(Buffer.from(file)).map(({ name }) => name)).toEqual(['PLAIN']);
});

it.each<[how: string, file: Buffer]>([
  ['in UTF-16', Buffer.from(ODD, 'utf16le')],
  ['in UTF-16 that begins with the larger byte', swapped(ODD)],
  ['as escapes', Buffer.from(coded(ODD, (each) => `\\u${hex(each, 4)}`))],
  ['in base64 in lines', Buffer.from(broken(base64(ODD), 12, '\n'))],
])('so is one with other letters than ASCII has %s', (_, file) => {
  expect(KNOWN.find(file).map(({ name }) => name)).toEqual(['ODD']);
});

it('it is found wherever it lies in a large file, with its place', () => {
  const spelt = coded(PLAIN, (each) => `\\u${hex(each, 4)}`);
  for (const before of [4 * MEGABYTE - 20, 4 * MEGABYTE + 256 * 1024 - 20, 9 * MEGABYTE]) {
    const file = Buffer.from(`${' '.repeat(before)}${spelt} end`);
    expect(KNOWN.find(file)).toEqual([{ name: 'PLAIN', at: before }]);
  }
});

it('it is found wherever it lies in a long row of codes or bytes', () => {
  for (const before of [0, 1, 4090, 4096, 4100, 9000]) {
    const codes = coded(`${'A'.repeat(before)}${PLAIN}`, (each) => `\\u${hex(each, 4)}`);
    const bytes = coded(`${'A'.repeat(before)}${PLAIN}`, (each) => `${hex(each, 2)} `);
    for (const text of [codes, bytes]) expect(KNOWN.find(Buffer.from(text)), String(before)).toHaveLength(1);
  }
});

it('words that only read like a secret without their blanks are none', () => {
  const word = createRedactor([{ name: 'WORD', value: 'passwords' }]);
  expect(word.find(Buffer.from('it pass words on'))).toEqual([]);
  expect(word.find(Buffer.from('it passwords on'))).toHaveLength(1);
});

it('disguises cost little, whatever the file is full of', () => {
  for (const row of [
    '\\',
    '\\u0041',
    '\0',
    '\0a',
    '&#',
    '&#x0',
    '%4',
    'QUJD\n',
    '41 ',
    '\\n',
    'ab',
    '65, ',
    '0x41,',
    '7',
  ]) {
    const file = Buffer.from(row.repeat(Math.ceil((2 * MEGABYTE) / row.length)));
    const work = workMeter();
    expect(KNOWN.find(file)).toEqual([]);
    expect(work(), JSON.stringify(row)).toBeLessThan(1500);
  }
});
