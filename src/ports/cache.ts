/** What is known of questions asked before, kept for this user outside every project; nothing in it can be forged or be another's. */
export interface Cache {
  /**
   * The text kept under a key; undefined when there is none, when it is not what this user's HELIX wrote, or when it was
   * written only since a moment.
   */
  get(key: string, before?: Date): Promise<string | undefined>;
  put(key: string, text: string): Promise<void>;
  /** Forgets what is kept under a key, if anything is. */
  remove(key: string): Promise<void>;
}
