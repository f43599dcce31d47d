/** What a model charges, in dollars for a million tokens. */
export type Price = {
  readonly input: number;
  readonly output: number;
  /** Input read from the provider's cache, and input written to it; as plain input where they are not known. */
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
};

/** Tokens that were used, by what they are charged as. */
export type Usage = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
};

/** A model as its provider knows it. */
export type Model = { readonly id: string; readonly provider?: string; readonly price?: Price };

/** The models there are names and prices for. */
export interface Models {
  /** A model by its alias, `provider:model`, `vendor/model` or its own id; one nobody knows goes by the name it was given. */
  find(name: string): Model;
}

/** Models together with every name they go by. */
export interface Catalogue extends Models {
  readonly names: readonly string[];
}

const MILLION = 1_000_000;

/** What tokens cost at a price. */
export function chargeFor(usage: Usage, price: Price): number {
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const charged =
    usage.input * input + usage.output * output + usage.cacheRead * cacheRead + usage.cacheWrite * cacheWrite;
  return charged / MILLION;
}

/** All tokens of a use. */
export function tokensOf({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite;
}
