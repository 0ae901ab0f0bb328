/** What writers were told. */
export interface Answered {
  /** The id that each create was answered with, by the name that its document carries. */
  readonly created: ReadonlyMap<string, string>;
  /** Of each counter, by the id of its document: how often raising it was answered, and how often nobody knows. */
  readonly raised: ReadonlyMap<string, { readonly answered: number; readonly open: number }>;
}

/** What the database holds once all is over. */
export interface Stored {
  /** The name that each document carries, by its id. */
  readonly names: ReadonlyMap<string, string>;
  readonly counts: ReadonlyMap<string, number>;
}

export interface WriteVerdict {
  /** Answered, and not there. */
  readonly lost: readonly string[];
  /** Asked for once, and done more than once. */
  readonly doubled: readonly string[];
}

/** Holds what writers were told against what is there. */
export function judgeWrites({ created, raised }: Answered, { names, counts }: Stored): WriteVerdict {
  const lost = [...created].filter(([name, id]) => names.get(id) !== name).map(([name]) => name);
  const doubled = repeatedOf([...names.values()]);
  for (const [id, { answered, open }] of raised) {
    const count = counts.get(id) ?? 0;
    if (count < answered) lost.push(`${id}: ${count} of ${answered}`);
    if (count > answered + open) doubled.push(`${id}: ${count} of ${answered + open}`);
  }
  return { lost, doubled };
}

function repeatedOf(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}
