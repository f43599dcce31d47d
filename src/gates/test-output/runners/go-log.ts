import { z } from 'zod';
import { MAX_FAILED } from '../report/test-report.ts';

const RESULT = /^ *--- (PASS|FAIL|SKIP): (\S+) \([\d.]{1,12}s\)$/;
const STARTED = /^=== (?:RUN|CONT|NAME) +(\S+)$/;
const PACKAGE = /^(ok {2}|FAIL|\? {3})\t(\S+)(?:[\t ](.*))?$/;
const COMPILED = /^# (\S+)(?: \[\S+\])?$/;
const COMPLAINT = /^\S{1,500}\.go:\d/;
const MAX_LINES = 60;

/** One line of `go test -json`, as far as it matters. */
const GoEvent = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
});

export type GoTest = { status?: 'PASS' | 'FAIL' | 'SKIP'; readonly lines: string[] };
export type GoPackage = {
  readonly tests: ReadonlyMap<string, GoTest>;
  status?: 'ok' | 'FAIL' | '?';
  readonly note?: string;
};

/** What `go test` said, in order: its text, its -json, or both in one. */
export class GoLog {
  /** Whether tests that pass are named. */
  verbose = false;
  readonly packages = new Map<string, { tests: Map<string, GoTest> } & GoPackage>();
  /** What the compiler complained about, by package. */
  readonly complaints = new Map<string, string[]>();
  /** Tests whose package is not known yet: its name comes last. */
  #open = new Map<string, GoTest>();
  #current: GoTest | undefined;
  #compiled: string | undefined;

  take(line: string): void {
    if (line.startsWith('{"') && this.#event(line)) return;
    const started = line.startsWith('=== ') ? STARTED.exec(line)?.[1] : undefined;
    const result = line.includes('--- ') ? RESULT.exec(line) : null;
    const ended = PACKAGE.exec(line);
    if (started !== undefined) {
      this.verbose = true;
      this.#current = testOf(this.#open, started);
    } else if (result !== null) {
      this.#current = testOf(this.#open, result[2] ?? '');
      this.#current.status = result[1] as 'PASS' | 'FAIL' | 'SKIP';
    } else if (ended !== null) this.#ended(ended[1]?.trim() as 'ok' | 'FAIL' | '?', ended[2] ?? '', ended[3] ?? '');
    else if (!this.#complaint(line)) keep(this.#current?.lines, line);
  }

  #ended(status: 'ok' | 'FAIL' | '?', name: string, note: string): void {
    this.packages.set(name, { tests: this.#open, status, note });
    this.#open = new Map();
    this.#current = undefined;
  }

  #complaint(line: string): boolean {
    const name = line.startsWith('# ') ? COMPILED.exec(line)?.[1] : undefined;
    if (name !== undefined) this.#compiled = name;
    else if (this.#compiled !== undefined && COMPLAINT.test(line)) {
      const lines = this.complaints.get(this.#compiled) ?? [];
      if (this.complaints.size < MAX_FAILED) this.complaints.set(this.#compiled, lines);
      keep(lines, line);
    } else this.#compiled = undefined;
    return this.#compiled !== undefined;
  }

  #event(line: string): boolean {
    const event = parseGoEvent(line);
    if (event === undefined) return false;
    const { Action: action, Package: name, Test: test, Output: output = '' } = event;
    const text = output.trimEnd();
    this.verbose = true;
    if (action === 'build-output') this.#complaint(text);
    if (name === undefined) return true;
    const known = this.packages.get(name) ?? { tests: new Map<string, GoTest>() };
    this.packages.set(name, known);
    const one = test === undefined ? undefined : testOf(known.tests, test);
    if (action === 'output' && !RESULT.test(text)) keep(one?.lines, text);
    if (action !== 'pass' && action !== 'fail' && action !== 'skip') return true;
    if (one !== undefined) one.status = action.toUpperCase() as 'PASS' | 'FAIL' | 'SKIP';
    else known.status = ({ pass: 'ok', fail: 'FAIL', skip: '?' } as const)[action];
    return true;
  }
}

function testOf(tests: Map<string, GoTest>, name: string): GoTest {
  const test = tests.get(name) ?? { lines: [] };
  tests.set(name, test);
  return test;
}

function keep(lines: string[] | undefined, line: string): void {
  if (lines !== undefined && lines.length < MAX_LINES && !line.startsWith('=== ')) lines.push(line);
}

/** Reads a line of -json; undefined when it is something else. */
function parseGoEvent(line: string): z.infer<typeof GoEvent> | undefined {
  if (!line.includes('"Action":')) return undefined;
  try {
    return GoEvent.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
