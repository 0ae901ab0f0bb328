const one = () => 1;

/**
 * Settings of an LRU cache that keeps so many entries, and takes memory as it fills. With `max` it would take and clear all
 * of it at once: a node has many caches, and some for each cell.
 */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: one });

/** The same by the length of the keys, where callers decide how long these are. */
export const upToKeys = (characters: number) => ({
  maxSize: characters,
  sizeCalculation: (_value: unknown, key: string) => key.length,
});
