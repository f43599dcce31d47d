import type { Place } from './test-report.ts';

const MAX_PLACES = 12;
const MAX_PATH = 300;
const MAX_NUMBERS = 20;
/** `:3`, `:3:5` and .NET's `:line 3`; the path before it is looked for backwards, which no regular expression does in linear time. */
const NUMBERS = /:(?:line )?(\d{1,7})(?::(\d{1,7}))?(?!\d)/g;
const IN_WORDS = /(?:File "([^"\n]{1,500})"|\b(?:at|file) ([^\s"',]{1,500})),? line (\d{1,7})/g;
const EXTENSION = /\.[A-Za-z][A-Za-z0-9]{0,9}$/;
const JVM = /\.(?:java|kt|kts|groovy|scala)$/;
const DELIMITERS = new Set(' \t()<>"\'`,[]{}=|');

/** The places that lines of a message or a stack trace name, in their order. */
export function findPlaces(lines: readonly string[]): Place[] {
  const places: Place[] = [];
  for (const line of lines) {
    if (places.length >= MAX_PLACES) break;
    places.push(...placesIn(line));
  }
  return places.slice(0, MAX_PLACES);
}

function placesIn(line: string): Place[] {
  const found: Place[] = [];
  let seen = 0;
  for (const match of line.matchAll(NUMBERS)) {
    seen += 1;
    if (seen > MAX_NUMBERS) break;
    const file = pathBefore(line, match.index);
    if (file !== undefined) found.push(place(file, match[1], match[2]));
  }
  if (!line.includes('line ')) return found;
  for (const [, quoted, plain, number] of line.matchAll(IN_WORDS)) {
    found.push(place(quoted ?? plain ?? '', number, undefined));
  }
  return found;
}

function place(file: string, line = '', column = ''): Place {
  const at = { file, line: Math.max(1, Number(line)) };
  return column === '' || Number(column) === 0 ? at : { ...at, column: Number(column) };
}

function pathBefore(line: string, end: number): string | undefined {
  let start = end;
  while (start > 0 && end - start < MAX_PATH && !DELIMITERS.has(line.charAt(start - 1))) start -= 1;
  const written = line.slice(start, end);
  if (!EXTENSION.test(written)) return undefined;
  if (JVM.test(written) && !written.includes('/') && line.charAt(start - 1) === '(') {
    return withPackage(written, line.slice(0, start - 1));
  }
  if (!written.includes('://')) return written;
  return written.startsWith('file:///') ? decoded(written.slice('file://'.length)) : undefined;
}

/** `at com.example.AppTest.works` before `(AppTest.java:3)` tells in which folder the file is. */
function withPackage(file: string, before: string): string {
  const called = before.slice(Math.max(before.lastIndexOf(' '), before.lastIndexOf('\t'), before.lastIndexOf('/')) + 1);
  const folders = called.split('.').slice(0, -2);
  return [...folders, file].join('/');
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
