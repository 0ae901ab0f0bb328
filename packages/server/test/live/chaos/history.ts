/** A document as a writer left it: `n` rises with each of its writes. */
export interface Version {
  readonly n: number;
  readonly state: string;
  readonly level: number;
  readonly owner: string;
}

/** All that writers know to be committed, document by document. */
export class History {
  readonly #documents = new Map<string, (Version | 'deleted')[]>();
  readonly #doubtful = new Set<string>();

  /** What a writer was told is written. Writes of one document come one after the other. */
  note(id: string, version: Version | 'deleted'): void {
    const versions = this.#documents.get(id) ?? [];
    this.#documents.set(id, versions);
    versions.push(version);
  }

  /** A write was not answered: nobody knows what the document is like now. */
  doubt(id: string): void {
    this.#doubtful.add(id);
  }

  isCertain(id: string): boolean {
    return !this.#doubtful.has(id);
  }

  get documents(): Iterable<[id: string, versions: readonly (Version | 'deleted')[]]> {
    return this.#documents;
  }

  get size(): number {
    return [...this.#documents.values()].reduce((sum, versions) => sum + versions.length, 0);
  }
}

/** What a subscriber was told, in the order in which it came. */
export type Told =
  | { readonly kind: 'begun' }
  | { readonly kind: 'resumed' }
  | {
      readonly kind: 'event';
      readonly event: 'created' | 'updated' | 'deleted';
      readonly id: string;
      readonly version?: Version;
    };

export interface Verdict {
  readonly missed: string[];
  readonly forbidden: string[];
  readonly disordered: string[];
  readonly duplicates: number;
  readonly events: number;
}

/** Holds what a subscriber was told against what was committed and what it may see. */
export function judge(
  history: History,
  told: readonly Told[],
  maySee: (version: Version) => boolean,
): Verdict {
  const received = new Map<string, Set<number>>();
  const latest = new Map<string, number>();
  const isGone = new Set<string>();
  const verdict = {
    missed: [] as string[],
    forbidden: [] as string[],
    disordered: [] as string[],
    duplicates: 0,
    events: 0,
  };
  for (const one of told) {
    // After a break it goes on from its cursor: what came after that may come again.
    if (one.kind !== 'event') {
      latest.clear();
      continue;
    }
    verdict.events += 1;
    const { id, version, event } = one;
    if (event === 'deleted') {
      isGone.add(id);
      continue;
    }
    isGone.delete(id);
    if (!maySee(version!)) verdict.forbidden.push(`${id} ${version!.n}`);
    if ((latest.get(id) ?? 0) >= version!.n) verdict.disordered.push(`${id} ${version!.n}`);
    latest.set(id, version!.n);
    const known = received.get(id) ?? new Set();
    received.set(id, known);
    if (known.has(version!.n)) verdict.duplicates += 1;
    known.add(version!.n);
  }
  for (const [id, versions] of history.documents) {
    const seen = versions.map((version) => version !== 'deleted' && maySee(version));
    for (const [at, version] of versions.entries()) {
      if (version !== 'deleted' && seen[at] && !received.get(id)?.has(version.n))
        verdict.missed.push(`${id} ${version.n}`);
    }
    const wasSeen = seen.includes(true);
    if (wasSeen && seen.at(-1) === false && history.isCertain(id) && !isGone.has(id))
      verdict.missed.push(`${id} is gone`);
  }
  return verdict;
}
