const one = () => 1;

/**
 * Settings of an LRU cache that keeps so many entries, and takes memory as it fills. With `max` it would take all of it at
 * once, and 13 ms for 50,000 entries: a node has many caches, and some for each cell.
 */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: one });
