import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Language, Parser } from 'web-tree-sitter';
import { createProcesses } from '../src/adapters/programs/processes.ts';
import { listDirectory } from '../src/adapters/trees/directory-tree.ts';
import { TreeStore } from '../src/adapters/trees/tree-store.ts';
import { syntaxCheck } from '../src/gates/files/syntax-check.ts';
import type { GateContext } from '../src/gates/gate/gate-context.ts';
import { samplePhase } from '../test/sample-start.ts';
import { type Claim, compare, inDirectory, time } from './measure.ts';

const FILES = 1000;

/** A module as people write them: a class, some branches, texts and comments, about 100 lines. */
function moduleText(number: number): string {
  const methods = Array.from(
    { length: 8 },
    (_, n) => `
    def method_${n}(self, key: str, *values: int, limit: int = ${n}) -> dict[str, list[int]]:
        """Collect what is wanted of ${n}."""
        found: dict[str, list[int]] = {}
        for index, value in enumerate(values):
            # Only the first ones count.
            if index >= limit and not self.force:
                break
            found.setdefault(f"{key}-{index:03d}", []).append(value * ${n + 1})
        return {name: sorted(items) for name, items in found.items() if items}
`,
  );
  return `import os\nfrom typing import Any\n\n\nclass Part${number}:\n    force = False\n${methods.join('')}`;
}

/** The gate as the engine calls it, over a stored tree of the files. */
async function gateOver(dir: string, texts: readonly string[]): Promise<() => Promise<void>> {
  mkdirSync(join(dir, 'work/output'), { recursive: true });
  for (const [n, text] of texts.entries()) writeFileSync(join(dir, `work/output/part_${n}.py`), text);
  const store = new TreeStore(join(dir, 'trees'));
  const tree = await store.capture(join(dir, 'work'), await listDirectory(join(dir, 'work')));
  const context: GateContext = {
    phase: samplePhase('one'),
    attempt: 1,
    tree,
    base: await store.capture(dir, { entries: [], problems: [] }),
    project: dir,
    programsIn: 'project',
    env: {},
    marker: 'bench',
    processes: createProcesses(),
    walls: () => undefined,
    signal: new AbortController().signal,
    directory: async () => dir,
    input: async () => undefined,
    projectFile: async () => undefined,
    settingsFile: async () => undefined,
    shippedConfig: () => '',
  };
  return async () => {
    const answer = await syntaxCheck.judge({ type: 'syntax_check' }, context);
    if (answer.kind !== 'judged' || answer.outcome !== 'pass') throw new Error(`not passed: ${JSON.stringify(answer)}`);
  };
}

/** What the gate costs over parsing alone, in a process that has everything loaded and optimised. */
export async function syntaxClaim(): Promise<Claim> {
  await Parser.init();
  const grammar = new URL(import.meta.resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm'));
  const parser = new Parser().setLanguage(await Language.load(grammar));
  const texts = Array.from({ length: FILES }, (_, n) => moduleText(n));
  const parseAll = () => {
    for (const text of texts) parser.parse(text)?.delete();
  };
  const { ratio, thing, base } = await inDirectory(async (dir) => {
    const judge = await gateOver(dir, texts);
    return compare(
      5,
      () => time(judge),
      () => time(parseAll),
    );
  });
  const detail = `${thing.toFixed(0)} ms, ${base.toFixed(0)} ms`;
  return { name: `syntax_check of ${FILES} Python files / parsing them and nothing else`, limit: 3, ratio, detail };
}
