import { present } from '../present.ts';
import type { Published } from './result-branch.ts';

/** What a run in a repository had come to; `published` where its branch does not hold all of that. */
export type AcceptedState = { readonly commit?: string; readonly tree: string; readonly published?: Published };

/** As above, of a fact: what is not there may be there as undefined. */
type Told = { readonly commit?: string | undefined; readonly tree: string; readonly published?: Published | undefined };

/** What of an accepted state is on the run's branch. */
export function publishedOf(state: Told): Omit<AcceptedState, 'published'> {
  const { commit, tree } = state.published ?? state;
  return { tree, ...present({ commit }) };
}

/** An accepted state without what else is known of where it comes from. */
export function stateOf({ commit, tree, published }: Told): AcceptedState {
  return { tree, ...present({ commit, published }) };
}
