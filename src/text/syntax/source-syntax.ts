import type { Node, Tree } from 'web-tree-sitter';
import { present } from '../../domain/present.ts';
import { doubtAbout } from './blind-spots.ts';
import { type DeadEnd, deadEnds } from './dead-ends.ts';
import { describeError } from './describe-error.ts';
import { parserFor, type SourceLanguage } from './grammar.ts';
import { mismatchedTags } from './jsx-tags.ts';
import { MAX_PROBLEMS, type Problem, type Problems, placesIn } from './problem.ts';
import { misplacedStatements } from './python-indentation.ts';
import { isFine } from './second-opinion.ts';
import { walkTree } from './tree-walk.ts';

/** Reading the parser's log makes it ten times slower, so of long texts only the error nodes are looked at. */
const MAX_LOGGED = 1024 * 1024;

/** Checks the syntax of a source text by the grammar of its language. */
export async function checkSource(language: SourceLanguage, text: string): Promise<Problems> {
  const parser = await parserFor(language);
  const tree = parser.parse(text);
  if (tree === null) throw new Error('the parser stopped without a result');
  try {
    const broken = tree.rootNode.hasError;
    if (broken && isFine(language, text, tree)) return bounded([]);
    const ends = broken && text.length <= MAX_LOGGED ? deadEnds(parser, text) : [];
    const nodes = broken ? errorNodes(tree, MAX_PROBLEMS + 1) : [];
    return bounded([
      ...overlooked(language, text, tree),
      ...carryDoubts(nodes.map((node) => problemAt(node, { language, text, tree, ends }))),
    ]);
  } finally {
    tree.delete();
  }
}

function bounded(problems: readonly Problem[]): Problems {
  return { problems: problems.slice(0, MAX_PROBLEMS), more: problems.length > MAX_PROBLEMS };
}

/** What the grammars let pass. In broken Python indentation means nothing, while tags can be told apart anywhere. */
function overlooked(language: SourceLanguage, text: string, tree: Tree): Problem[] {
  const found = language === 'javascript' || language === 'tsx' ? mismatchedTags(tree) : [];
  if (language === 'python' && !tree.rootNode.hasError) found.push(...misplacedStatements(tree, text));
  if (found.length === 0) return [];
  const place = placesIn(text);
  return found.slice(0, MAX_PROBLEMS + 1).map(({ offset, message }) => ({ ...place(offset), message }));
}

/** What follows a place the grammar may have misread it may have misread too. */
function carryDoubts(problems: readonly Problem[]): Problem[] {
  const first = problems.findIndex(({ doubt }) => doubt !== undefined);
  const doubt = problems[first]?.doubt;
  return problems.map((problem, index) => (doubt === undefined || index < first ? problem : { ...problem, doubt }));
}

/** The outermost error nodes and the missing ones; where the missing thing is invisible, the smallest node it is missing in. */
function errorNodes(tree: Tree, max: number): Node[] {
  const found: Node[] = [];
  let smallest = tree.rootNode;
  walkTree(tree, (node) => {
    if (!node.hasError) return 'over';
    smallest = node;
    if (!node.isError && !node.isMissing) return 'into';
    found.push(node);
    return found.length < max ? 'over' : 'stop';
  });
  return found.length > 0 ? found : [smallest];
}

type Source = {
  readonly language: SourceLanguage;
  readonly text: string;
  readonly tree: Tree;
  readonly ends: readonly DeadEnd[];
};

function problemAt(node: Node, source: Source): Problem {
  const { offset, message, open } = describeError(node, source);
  const place = placesIn(source.text);
  const doubt = doubtAbout(source.language, source.text, { from: node.startIndex, to: offset });
  return {
    ...place(offset),
    message,
    ...(open && { hint: `the ${open.text} of line ${place(open.offset).line} is still open here` }),
    ...present({ doubt }),
  };
}
