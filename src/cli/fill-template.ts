import { type Document, isMap, isScalar, type Node, type Pair, parseDocument, visit, type YAMLMap } from 'yaml';
import { HelixError } from '../domain/helix-error.ts';
import { parseYaml } from '../text/yaml.ts';
import { GERMAN } from './german.ts';
import { type Language, schemaLine } from './project-texts.ts';

/** A project type: its text, and the file to name in messages. */
export type Template = { readonly text: string; readonly file: string };

type Filled = Document & { contents: YAMLMap };

const SCHEMA_LINE = /^# yaml-language-server:.*\n/m;
const TRANSLATED = new Set(['name', 'description']);

/** The phases.yaml of a new project: the template with its comments, the project's name and the workspace filled in. */
export function fillTemplate(template: Template, { name, language }: { name: string; language: Language }): string {
  const document = parseTemplate(template);
  if (language === 'de') translate(document);
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
  if (!map.has('workspace')) addWorkspace(document);
  return `${schemaLine('phases')}${render(document, template.text).replace(SCHEMA_LINE, '')}`;
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

function addWorkspace(document: Filled): void {
  const pair = document.createPair('workspace', 'phase-dirs');
  pair.key.spaceBefore = true;
  document.contents.items.splice(indexOf(document.contents, 'project') + 1, 0, pair);
}

/** Puts comments, names and descriptions into German, as far as the words are those of HELIX's own templates. */
function translate(document: Document): void {
  translateComments(document);
  visit(document, {
    Node: (_key, node) => translateComments(node as Node),
    Pair: (_key, pair) => translateValue(pair),
  });
}

function translateComments(commented: Pick<Node, 'commentBefore' | 'comment'>): void {
  const { commentBefore, comment } = commented;
  if (typeof commentBefore === 'string') commented.commentBefore = eachLine(commentBefore);
  if (typeof comment === 'string') commented.comment = eachLine(comment);
}

function eachLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/\S.*\S/, (words) => GERMAN.get(words) ?? words))
    .join('\n');
}

function translateValue({ key, value }: Pair): void {
  if (!isScalar(key) || !TRANSLATED.has(String(key.value)) || !isScalar(value)) return;
  value.value = GERMAN.get(String(value.value).trim()) ?? value.value;
}
