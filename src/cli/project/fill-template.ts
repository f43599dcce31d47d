import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { HelixError } from '../../domain/helix-error.ts';
import { present } from '../../domain/present.ts';
import { parseYaml } from '../../text/yaml/yaml.ts';
import { germanWords, type Language, noTestsComment } from './project-texts.ts';

/** A project type: its text, and the file to name in messages. */
export type Template = { readonly text: string; readonly file: string };

type Filled = Document & { contents: YAMLMap };

const SCHEMA_LINE = '# yaml-language-server: $schema=.helix/schemas/phases.schema.json\n';
const ANY_SCHEMA_LINE = /^# yaml-language-server:.*\n/m;
const TRANSLATED = new Set(['name', 'description']);

/** What a template does not know of the project it is filled for. */
export type Filling = {
  readonly name: string;
  readonly language: Language;
  readonly workspace: Workspace;
  /** The command of the gates on tests, `none` to leave them out; absent, they stay as the template has them. */
  readonly tests?: readonly string[] | 'none';
};

/** Where phases work, and what is installed before they do. */
export type Workspace = {
  readonly mode: 'repo' | 'phase-dirs';
  /** The directory that is worked on, from the top of the repository, where the plan lies elsewhere. */
  readonly root?: string;
  readonly setup: readonly (readonly string[])[];
  readonly cache: readonly string[];
};

/** The phases.yaml of a new project: the template with its comments, and with what belongs to the project filled in. */
export function fillTemplate(template: Template, filling: Filling): string {
  const { name, language, workspace, tests } = filling;
  const document = parseTemplate(template);
  if (language === 'de') translate(document, germanWords());
  const map = document.contents;
  if (!isMap(map.get('project'))) {
    map.delete('project');
    map.items.unshift(document.createPair('project', {}));
  }
  const project = map.get('project') as YAMLMap;
  if (isScalar(project.get('name', true))) project.set('name', name);
  else {
    project.delete('name');
    project.items.unshift(document.createPair('name', name));
  }
  if (!map.has('workspace')) addWorkspace(document, workspace);
  if (tests === 'none') removeTests(document, language);
  else if (tests !== undefined) fillTests(document, tests);
  return `${SCHEMA_LINE}${render(document, template.text).replace(ANY_SCHEMA_LINE, '')}`;
}

/** Writes the document the way its author did. */
function render(document: Document, source: string): string {
  return document.toString({ lineWidth: 0, flowCollectionPadding: /[[{] /.test(source) });
}

function parseTemplate({ text, file }: Template): Filled {
  const wrong = parseYaml(text, file).findings.find((finding) => finding.severity === 'error');
  if (wrong !== undefined) throw broken(`${file}:${wrong.location?.line}:${wrong.location?.column}: ${wrong.message}`);
  const document = parseDocument(text);
  if (!isMap(document.contents)) throw broken(`${file}: a project type is a map with phases`);
  return document as Filled;
}

function broken(message: string): HelixError {
  return new HelixError('config', message, { hint: 'Mend the template; nothing was made.' });
}

function indexOf(map: YAMLMap, name: string): number {
  return map.items.findIndex(({ key }) => isScalar(key) && key.value === name);
}

function addWorkspace(document: Filled, { mode, root, setup, cache }: Workspace): void {
  const place = { mode, ...present({ root }) };
  const long = document.createNode({
    ...place,
    ...(setup.length > 0 && { setup }),
    ...(cache.length > 0 && { cache }),
  });
  visit(long, {
    Seq: (_key, list) => {
      list.flow = list.items.every(isScalar);
    },
  });
  const pair = document.createPair('workspace', root === undefined && setup.length + cache.length === 0 ? mode : long);
  pair.key.spaceBefore = true;
  document.contents.items.splice(indexOf(document.contents, 'project') + 1, 0, pair);
}

function fillTests(document: Filled, command: readonly string[]): void {
  visit(document, {
    Map: (_key, gate) => {
      if (!isTests(gate) || gate.has('command')) return;
      const pair = document.createPair('command', command);
      if (isSeq(pair.value)) pair.value.flow = true;
      gate.items.splice(indexOf(gate, 'type') + 1, 0, pair);
    },
  });
}

/** A gate that has nothing to run would stop every run, so a comment shows where it belongs. */
function removeTests(document: Filled, language: Language): void {
  visit(document, {
    Seq: (_key, gates: YAMLSeq) => {
      const kept = gates.items.filter((gate) => !isTests(gate));
      if (kept.length === gates.items.length) return;
      gates.items = kept;
      gates.comment = noTestsComment(language);
    },
  });
}

function isTests(gate: unknown): gate is YAMLMap {
  return isMap(gate) && gate.get('type') === 'tests_pass';
}

type Words = ReadonlyMap<string, string>;

/** Puts comments, names and descriptions into German, as far as the words are those of HELIX's own templates. */
function translate(document: Document, german: Words): void {
  translateComments(document, german);
  visit(document, {
    Node: (_key, node) => translateComments(node as Node, german),
    Pair: (_key, pair) => translateValue(pair, german),
  });
}

function translateComments(commented: Pick<Node, 'commentBefore' | 'comment'>, german: Words): void {
  const { commentBefore, comment } = commented;
  if (typeof commentBefore === 'string') commented.commentBefore = eachLine(commentBefore, german);
  if (typeof comment === 'string') commented.comment = eachLine(comment, german);
}

function eachLine(text: string, german: Words): string {
  return text
    .split('\n')
    .map((line) => line.replace(/\S.*\S/, (words) => german.get(words) ?? words))
    .join('\n');
}

function translateValue({ key, value }: Pair, german: Words): void {
  if (!isScalar(key) || !TRANSLATED.has(String(key.value)) || !isScalar(value)) return;
  value.value = german.get(String(value.value).trim()) ?? value.value;
}
