/** The longest stretch between two of these moments, the beginning and the end among them. */
export function longestGap(moments: readonly number[], from: number, until: number): number {
  const inside = moments.filter((at) => at >= from && at <= until).toSorted((a, b) => a - b);
  const all = [from, ...inside, until];
  return all.reduce((longest, at, place) => Math.max(longest, at - (all[place - 1] ?? from)), 0);
}
