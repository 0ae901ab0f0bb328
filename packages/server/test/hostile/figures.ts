const kinds = ['read', 'read as user', 'list', 'create', 'event', 'login', 'picture'] as const;
/** What the neighbour does. An event is a create that its subscription hears of, from the beginning of the call on. */
export type Kind = (typeof kinds)[number];

/** How the neighbour's calls of a stretch of time went. */
export class Figures {
  readonly times = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]));
  readonly errors: string[] = [];
  readonly #pending = new Set<Promise<void>>();

  /** Notes how long something takes, whenever it ends, and what went wrong with it. */
  follow(kind: Kind, work: Promise<unknown>, startedAt: number): void {
    const noted = this.#note(kind, work, startedAt);
    this.#pending.add(noted);
    void noted.then(() => this.#pending.delete(noted));
  }

  async #note(kind: Kind, work: Promise<unknown>, startedAt: number): Promise<void> {
    try {
      await work;
      this.times.get(kind)!.push(performance.now() - startedAt);
    } catch (error) {
      this.errors.push(`${kind}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Resolves when everything that was begun has ended. */
  async ended(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }
}

/** The times of several stretches together. */
export function joinTimes(all: readonly Figures[]): Map<Kind, number[]> {
  return new Map(kinds.map((kind) => [kind, all.flatMap(({ times }) => times.get(kind)!)]));
}

/** The value below which a share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

type Times = ReadonlyMap<Kind, readonly number[]>;

/**
 * How many times slower than in quiet the calls are below which a share of them lies. Each is compared with that share of
 * its own kind, since a login takes many times as long as a read.
 */
export function slowdown(quiet: Times, now: Times, share: number): number {
  const ratios = kinds.flatMap((kind) => {
    const usual = percentile(quiet.get(kind)!, share);
    return Number.isNaN(usual) ? [] : now.get(kind)!.map((ms) => ms / usual);
  });
  return percentile(ratios, share);
}

/** The kind of calls that slowed down most. */
export function slowestKind(quiet: Times, now: Times, share: number): Kind | undefined {
  const ratioOf = (kind: Kind) => percentile(now.get(kind)!, share) / percentile(quiet.get(kind)!, share);
  const measured = kinds.filter((kind) => !Number.isNaN(ratioOf(kind)));
  return measured.toSorted((a, b) => ratioOf(b) - ratioOf(a))[0];
}
