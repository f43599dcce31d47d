/** What is known of questions asked before, kept for this user outside every project; nothing in it can be forged or be another's. */
export interface Cache {
  /** The text kept under a key; undefined when there is none, or when it is not what this user's HELIX wrote. */
  get(key: string): Promise<string | undefined>;
  put(key: string, text: string): Promise<void>;
}
