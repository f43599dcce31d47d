/** Which markers are carried by running programs, so that the end of one does not take another one's processes. */
export type MarkerUse = {
  /** Counts a program in; what it returns counts it out again, once. */
  claim(marker: string): () => void;
  isFree(marker: string): boolean;
};

export function createMarkerUse(): MarkerUse {
  const claims = new Map<string, number>();
  return {
    claim(marker) {
      claims.set(marker, (claims.get(marker) ?? 0) + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        const left = (claims.get(marker) ?? 1) - 1;
        if (left > 0) claims.set(marker, left);
        else claims.delete(marker);
      };
    },
    isFree: (marker) => !claims.has(marker),
  };
}
