/** A document as a writer left it: `n` rises with each of its writes. */
export interface Version {
  readonly n: number;
  readonly state: string;
  readonly level: number;
  readonly owner: string;
}

interface Written {
  readonly version: Version | 'deleted';
  /** When the writer began to write it. */
  readonly at: number;
}

/** All that writers know to be committed, document by document. */
export class History {
  readonly #documents = new Map<string, Written[]>();
  readonly #doubtful = new Set<string>();

  /** What a writer was told is written. Writes of one document come one after the other. */
  note(id: string, version: Version | 'deleted', at: number): void {
    const versions = this.#documents.get(id) ?? [];
    this.#documents.set(id, versions);
    versions.push({ version, at });
  }

  /** A write was not answered: nobody knows what the document is like now. */
  doubt(id: string): void {
    this.#doubtful.add(id);
  }

  isCertain(id: string): boolean {
    return !this.#doubtful.has(id);
  }

  get documents(): Iterable<[id: string, versions: readonly Written[]]> {
    return this.#documents;
  }

  get size(): number {
    return [...this.#documents.values()].reduce((sum, versions) => sum + versions.length, 0);
  }
}

/** What a subscriber was told, in the order in which it came. */
export type Told =
  | { readonly kind: 'begun' }
  /** It has gone on from its cursor: when that was confirmed. */
  | { readonly kind: 'resumed'; readonly at: number }
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

/** What a subscriber was told of one document, in order: versions, and when it came back in between. */
type Account = ({ readonly n: number | 'deleted' } | { readonly resumedAt: number })[];

/**
 * Holds what a subscriber was told against what was committed and what it may see. It has to be told of every version,
 * apart from those that were the past when it came back, and were followed by another one. It ends with what is there.
 */
export function judge(
  history: History,
  told: readonly Told[],
  maySee: (version: Version) => boolean,
): Verdict {
  const verdict = {
    missed: [] as string[],
    forbidden: [] as string[],
    disordered: [] as string[],
    duplicates: 0,
    events: 0,
  };
  const resumes: { readonly resumedAt: number }[] = [];
  const accounts = new Map<string, Account>();
  const latest = new Map<string, number>();
  for (const one of told) {
    if (one.kind === 'begun') continue;
    if (one.kind === 'resumed') {
      // It goes on from its cursor: what came after that may come again.
      latest.clear();
      const resume = { resumedAt: one.at };
      for (const account of accounts.values()) account.push(resume);
      resumes.push(resume);
      continue;
    }
    verdict.events += 1;
    const { id, version, event } = one;
    const account = accounts.get(id) ?? [...resumes];
    accounts.set(id, account);
    if (event === 'deleted') {
      account.push({ n: 'deleted' });
      continue;
    }
    const { n } = version!;
    if (!maySee(version!)) verdict.forbidden.push(`${id} ${n}`);
    if ((latest.get(id) ?? 0) >= n) verdict.disordered.push(`${id} ${n}`);
    latest.set(id, n);
    if (account.some((told) => 'n' in told && told.n === n)) verdict.duplicates += 1;
    account.push({ n });
  }
  for (const [id, versions] of history.documents) {
    const account = accounts.get(id) ?? [...resumes];
    const seen = versions.map(({ version }) => version !== 'deleted' && maySee(version));
    for (const [place, { version, at }] of versions.entries()) {
      if (version === 'deleted' || !seen[place]) continue;
      const isLast = place === versions.length - 1 && history.isCertain(id);
      if (!isTold(account, version.n) && (isLast || !wasPast(account, version.n, at)))
        verdict.missed.push(`${id} ${version.n}`);
    }
    verdict.missed.push(...wrongEnd(history, id, { account, seen }));
  }
  return verdict;
}

function isTold(account: Account, n: number): boolean {
  return account.some((told) => 'n' in told && told.n === n);
}

/** Did it come back after the version was begun, and after it had heard of the one before? */
function wasPast(account: Account, n: number, at: number): boolean {
  const isOther = (told: Account[number], compare: (other: number) => boolean) =>
    'n' in told && told.n !== 'deleted' && compare(told.n);
  const from = account.findLastIndex((told) => isOther(told, (other) => other < n));
  const next = account.findIndex((told, place) => place > from && isOther(told, (other) => other > n));
  const between = account.slice(from + 1, next === -1 ? undefined : next);
  return between.some((told) => 'resumedAt' in told && told.resumedAt > at);
}

/** What it has in the end, if that is not what is there. */
function wrongEnd(
  history: History,
  id: string,
  { account, seen }: { account: Account; seen: readonly boolean[] },
): string[] {
  if (!history.isCertain(id)) return [];
  const last = account.findLast((told) => 'n' in told)?.n;
  if (seen.at(-1)) return last === 'deleted' ? [`${id} is there`] : staleEnd(account, id);
  return last === undefined || last === 'deleted' ? [] : [`${id} is gone`];
}

/** The last version that it was told is the highest of all. */
function staleEnd(account: Account, id: string): string[] {
  const told = account.flatMap((one) => ('n' in one && one.n !== 'deleted' ? [one.n] : []));
  const last = told.at(-1);
  return last === undefined || last === Math.max(...told) ? [] : [`${id} ends as ${last}`];
}
