import { stripTypeScriptTypes } from 'node:module';
import vm from 'node:vm';
import type { Tree } from 'web-tree-sitter';
import type { Language } from '../../domain/language.ts';
import { mismatchedTags } from './jsx-tags.ts';
import { walkTree } from './tree-walk.ts';

const JSX = new Set(['jsx_element', 'jsx_self_closing_element', 'jsx_fragment']);

/**
 * Tells whether the parsers of Node itself accept a text in which the grammar found errors. The grammars of JavaScript and
 * TypeScript do not know all of the language; Node's parsers do, but know no JSX and place errors badly.
 */
export function isFine(language: Language, text: string, tree: Tree): boolean {
  if (language === 'typescript') return asTypeScript(text);
  if (language !== 'javascript' && language !== 'tsx') return false;
  const plain = withoutJsx(text, tree);
  return plain !== undefined && (language === 'tsx' ? asTypeScript(plain) : asJavaScript(plain));
}

function asTypeScript(text: string): boolean {
  return accepts(() => stripTypeScriptTypes(text, { mode: 'transform' }));
}

function asJavaScript(text: string): boolean {
  if (accepts(() => new vm.Script(text))) return true;
  return vm.SourceTextModule !== undefined && accepts(() => new vm.SourceTextModule(text));
}

function accepts(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

/**
 * Puts a plain value in the place of every piece of JSX that the grammar could read; undefined when some of it is broken,
 * because what is left of it might look like a type in angle brackets.
 */
function withoutJsx(text: string, tree: Tree): string | undefined {
  const pieces: string[] = [];
  let done = 0;
  let broken = mismatchedTags(tree).length > 0;
  walkTree(tree, (node) => {
    if (!node.type.startsWith('jsx_')) return 'into';
    if (node.hasError || !JSX.has(node.type)) broken = true;
    if (broken) return 'stop';
    pieces.push(text.slice(done, node.startIndex), 'null');
    done = node.endIndex;
    return 'over';
  });
  return broken ? undefined : pieces.join('') + text.slice(done);
}
