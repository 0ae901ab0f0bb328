/** What the service takes at a time, also where hooks run before each write, with room for what is around it. */
const mostItems = 100;
const mostBytes = 8_000_000;

/** Items in the groups that they are sent in. */
export function batchesOf<Item>(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    const last = batches.at(-1);
    if (!last || last.length >= mostItems || bytes + size > mostBytes) {
      batches.push([item]);
      bytes = size;
    } else {
      last.push(item);
      bytes += size;
    }
  }
  return batches;
}
