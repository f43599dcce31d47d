import type { Node, Pair, Scalar, YAMLError } from 'yaml';
import type { Finding, Location } from '../../domain/finding.ts';
import { oneLine } from '../sanitise.ts';
import { readSimpleYaml } from './simple-yaml.ts';
import type { SimpleNode } from './simple-yaml-value.ts';
import { refuseYaml, TOO_DEEP, TOO_MANY_KEYS, YAML_LIMITS } from './yaml-guard.ts';
import { yamlLibrary } from './yaml-library.ts';

/** The way from the root of a YAML file to one of its values. */
export type YamlPath = readonly PropertyKey[];

/** A YAML file as plain values, with what is wrong with it and where everything stands. */
export type ParsedYaml = {
  /** As far as it could be read; undefined when the text was refused as a whole. */
  readonly value: unknown;
  /** False when syntax errors make the value a guess. */
  readonly complete: boolean;
  readonly findings: readonly Finding[];
  /** Where a value stands, or the nearest value around it that exists. */
  locate(path: YamlPath): Location;
  /** Where the key stands that the path ends with; for an entry of a list, the entry. */
  locateKey(path: YamlPath): Location;
};

type Trouble = Omit<Finding, 'severity' | 'location'> & { readonly severity?: Finding['severity'] };
type Reading = { readonly textKeys: ReadonlySet<string>; readonly report: (offset: number, trouble: Trouble) => void };
type Place = { readonly depth: number; readonly asText: boolean };

const MAX_FINDINGS = 20;
const OPTIONS = { version: '1.2', uniqueKeys: false, resolveKnownTags: false, prettyErrors: false } as const;

/** Reads YAML within YAML_LIMITS; below a key of `textKeys` every scalar is text as written, so `id: 015` is "015". */
export function parseYaml(text: string, file: string, textKeys: ReadonlySet<string> = new Set()): ParsedYaml {
  const simple = readSimpleYaml(text, textKeys);
  if (simple !== undefined) return parsedSimple(simple, text, file);
  const position = positions(text);
  const findings: Finding[] = [];
  const locationOf = (offset: number): Location => ({ file, ...position(offset) });
  const report = (offset: number, { severity = 'error', ...trouble }: Trouble): void => {
    if (findings.length < MAX_FINDINGS) findings.push({ severity, ...trouble, location: locationOf(offset) });
  };
  const refusal = refuseYaml(text);
  if (refusal !== undefined) {
    const { offset, ...trouble } = refusal;
    report(offset, trouble);
    const start = locationOf(0);
    return { value: undefined, complete: false, findings, locate: () => start, locateKey: () => start };
  }
  const document = yamlLibrary().parseDocument(text, OPTIONS);
  for (const error of document.errors) report(error.pos[0], syntaxTrouble(error));
  for (const warning of document.warnings) report(warning.pos[0], syntaxTrouble(warning));
  const root = document.contents;
  const value = plainValue(root, { depth: 1, asText: false }, { textKeys, report });
  return {
    value,
    complete: document.errors.length === 0,
    findings,
    locate: (path) => locationOf(find(root, path).value),
    locateKey: (path) => locationOf(find(root, path).key),
  };
}

function parsedSimple(root: SimpleNode, text: string, file: string): ParsedYaml {
  let position: ReturnType<typeof positions> | undefined;
  const locationOf = (offset: number): Location => {
    position ??= positions(text);
    return { file, ...position(offset) };
  };
  const nodeAt = (path: YamlPath): SimpleNode => {
    let node = root;
    for (const step of path) {
      const below = node.below.get(step);
      if (below === undefined) break;
      node = below;
    }
    return node;
  };
  return {
    value: root.value,
    complete: true,
    findings: [],
    locate: (path) => locationOf(nodeAt(path).at),
    locateKey: (path) => locationOf(nodeAt(path).key),
  };
}

const SYNTAX_HINTS: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'indent with spaces',
  MULTIPLE_DOCS: 'remove the `---` line; a file holds one document',
  BLOCK_AS_IMPLICIT_KEY: 'put quotes around text that contains a colon followed by a space',
  TAG_RESOLVE_FAILED: 'remove the tag, or put quotes around text that starts with an exclamation mark',
  MISSING_CHAR: 'look for a missing quote, bracket, comma or colon here or in the lines above',
  BAD_INDENT: 'align the line with its neighbours',
};

function syntaxTrouble(error: YAMLError): Trouble {
  const hint = SYNTAX_HINTS[error.code] ?? 'look at the indentation, quotes and colons of this line and the one above';
  const message = error.code === 'MULTIPLE_DOCS' ? 'several documents in one file' : oneLine(error.message, 200);
  const tag = error.code === 'TAG_RESOLVE_FAILED';
  return {
    severity: error.name === 'YAMLParseError' || tag ? 'error' : 'warning',
    check: tag ? 'yaml-tag' : 'yaml-syntax',
    message,
    hint,
  };
}

function plainValue(node: unknown, place: Place, reading: Reading): unknown {
  if (place.depth > YAML_LIMITS.depth + 1) return null;
  if (yamlLibrary().isScalar(node)) return scalarValue(node, place.asText);
  if ((yamlLibrary().isMap(node) || yamlLibrary().isSeq(node)) && place.depth > YAML_LIMITS.depth) {
    reading.report(startOf(node), TOO_DEEP);
    return null;
  }
  if (yamlLibrary().isSeq(node))
    return node.items.map((item) => plainValue(item, { ...place, depth: place.depth + 1 }, reading));
  return yamlLibrary().isMap(node) ? mapValue(node.items, place, reading) : null;
}

/** Own check for duplicate keys, because the parser's is quadratic. */
function mapValue(pairs: readonly Pair[], place: Place, reading: Reading): Record<string, unknown> {
  const entries = new Map<string, unknown>();
  if (pairs.length > YAML_LIMITS.keys) reading.report(startOf(pairs[YAML_LIMITS.keys]?.key), TOO_MANY_KEYS);
  for (const pair of pairs.slice(0, YAML_LIMITS.keys)) {
    const key = keyText(pair.key);
    const trouble = keyTrouble(key, entries);
    if (trouble !== undefined) reading.report(startOf(pair.key), trouble);
    else if (key !== undefined) {
      const asText = place.asText || reading.textKeys.has(key);
      entries.set(key, plainValue(pair.value, { depth: place.depth + 1, asText }, reading));
    }
  }
  return Object.fromEntries(entries);
}

function keyTrouble(key: string | undefined, entries: ReadonlyMap<string, unknown>): Trouble | undefined {
  if (key === undefined) return { check: 'yaml-key', message: 'a key must be text', hint: 'write it as key: value' };
  if (key === '__proto__')
    return { check: 'yaml-key', message: 'the key "__proto__" is not allowed', hint: 'remove it' };
  if (!entries.has(key)) return undefined;
  return {
    check: 'duplicate-key',
    message: `the key "${oneLine(key, 60)}" stands here twice`,
    hint: 'keep one of them',
  };
}

function keyText(key: unknown): string | undefined {
  if (!yamlLibrary().isScalar(key) || key.value === null) return undefined;
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

function scalarValue(node: Scalar, asText: boolean): unknown {
  const { value, source } = node;
  const written = asText && typeof value !== 'string' && value !== null && node.tag === undefined;
  return written && source !== undefined ? source : value;
}

function startOf(node: unknown): number {
  return (node as Node | null | undefined)?.range?.[0] ?? 0;
}

function find(root: unknown, path: YamlPath): { key: number; value: number } {
  let node = root;
  let found = { key: startOf(root), value: startOf(root) };
  for (const step of path) {
    const pair = yamlLibrary().isMap(node) ? node.items.find((item) => keyText(item.key) === step) : undefined;
    const item = yamlLibrary().isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
    if (pair === undefined && item === undefined) break;
    node = pair === undefined ? item : pair.value;
    const value = node === null ? startOf(pair?.key) : startOf(node);
    found = { key: pair === undefined ? value : startOf(pair.key), value };
  }
  return found;
}

/** Turns offsets into lines and columns that count from 1. */
function positions(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
