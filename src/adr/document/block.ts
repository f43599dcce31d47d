import type { Place } from './adr.ts';

/** One block of a document; lines count from 1. What stands in a quote is only told as the quote. */
export type Block =
  | {
      readonly kind: 'heading';
      readonly level: number;
      readonly text: string;
      readonly first: number;
      readonly last: number;
    }
  | {
      readonly kind: 'code';
      readonly info: string | undefined;
      readonly closed: boolean;
      readonly nested: readonly Place[];
      readonly first: number;
      readonly last: number;
    }
  | {
      readonly kind: 'paragraph';
      readonly text: string;
      /** The paragraph a list item starts with. */
      readonly item: boolean;
      readonly first: number;
      readonly last: number;
    }
  | { readonly kind: 'quote' | 'html'; readonly first: number; readonly last: number };
