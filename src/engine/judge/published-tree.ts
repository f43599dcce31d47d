import type { InputFile } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { GateContext } from '../../gates/gate/gate-context.ts';
import type { Checkout, KeptOut, VariantContent, Workspace } from '../../ports/workspace.ts';
import type { AsPublished } from './ask-published.ts';
import { keptOut } from './kept-out.ts';

/** What a copy is made of. */
export type CopyContent = Pick<VariantContent, 'tree' | 'inputs'>;

/** What the run's branch would hold of a judged tree, where that is not all of it. */
export type PublishedTree = {
  readonly content: CopyContent;
  /** The files that stay off the branch. */
  readonly kept: readonly string[];
  /** What a gate is told, with the trees as the branch would have them. */
  readonly seen: (whole: GateContext) => Promise<GateContext>;
};

type Places = {
  /** Where the copy of what would be published lies. */
  readonly directory: () => Promise<string>;
  readonly variant: (content: Omit<VariantContent, 'signal'>) => Promise<Checkout>;
};

/** Lets gates run their commands on what would be published. */
export function asPublished({ content, kept, seen }: PublishedTree, { directory, variant }: Places): AsPublished {
  const context = async (whole: GateContext) => ({
    ...(await seen(whole)),
    directory,
    variant: (changes: VariantContent['changes']) => variant({ ...content, changes }),
  });
  return { kept, context };
}

type Around = { readonly state: RunState; readonly workspace: Workspace };

/** Finds what would be published of a tree; undefined where that is all of it. What is kept off is no input of it either. */
export async function publishedTree(
  phase: Phase,
  { tree, inputs }: CopyContent,
  around: Around,
): Promise<PublishedTree | undefined> {
  const { workspace } = around;
  const left = await leftOut(phase, tree, around);
  if (left === undefined || left.files.length === 0) return undefined;
  const kept = left.files.map(({ path }) => path);
  const id = await workspace.without(tree, left);
  const open = async (whole: string) => workspace.tree(await workspace.without(whole, left));
  const isPublic = ({ path }: InputFile) => !kept.includes(path);
  return {
    content: { tree: id, inputs: inputs.filter(isPublic) },
    kept,
    seen: async ({ settings, base, shown, ...whole }) => ({
      ...whole,
      tree: await workspace.tree(id),
      base: await open(base.id),
      ...present({ shown: shown && (await open(shown.id)) }),
      ...present({ settings: settings && { ...settings, origin: await open(settings.origin.id) } }),
    }),
  };
}

async function leftOut(phase: Phase, tree: string, { state, workspace }: Around): Promise<KeptOut | undefined> {
  const { tip, base } = state;
  if (tree !== tip?.tree) return keptOut(phase, tree, { state, workspace });
  return tip.published && base && { origin: base.origin ?? base.tree, files: tip.published.keptOut };
}
