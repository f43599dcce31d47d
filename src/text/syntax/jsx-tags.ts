import type { Node, Tree } from 'web-tree-sitter';
import { oneLine } from '../sanitise.ts';
import type { Oversight } from './problem.ts';

/** Finds closing tags that close another element, which the grammars of JSX do not mind. */
export function mismatchedTags(tree: Tree): Oversight[] {
  return tree.rootNode.descendantsOfType('jsx_element').flatMap((element): Oversight[] => {
    const opened = nameOf(element, 'open_tag');
    const closed = element.childForFieldName('close_tag');
    if (closed === null || nameOf(element, 'close_tag') === opened) return [];
    const line = element.startPosition.row + 1;
    const message = `unexpected "${oneLine(closed.text, 40)}"; the <${oneLine(opened, 40)}> of line ${line} is still open`;
    return [{ offset: closed.startIndex, message }];
  });
}

function nameOf(element: Node, tag: 'open_tag' | 'close_tag'): string {
  return element.childForFieldName(tag)?.childForFieldName('name')?.text ?? '';
}
