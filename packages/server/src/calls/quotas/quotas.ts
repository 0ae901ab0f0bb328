import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { KeyedMutex } from '../../platform/concurrency/keyed-mutex.ts';
import type { Cells } from '../../platform/db/cells.ts';
import { upTo } from '../../platform/up-to.ts';
import type { RequestContext } from '../context.ts';
import type { Project } from '../project.ts';
import { cellFull, quotaExceeded } from './errors.ts';
import { Lease } from './lease.ts';
import { type Amounts, type Quota, type QuotaSources, quotas } from './quota.ts';
import { lockLeases, saveLease, sumLeasesOfOthers } from './store.ts';

/** How much of a limit a node asks for at once: with a few nodes, a project ends within one percent of its limit. */
const share = 0.0025;
/** Other nodes leave alone what a lease holds for so long; this one stops using it earlier, and what it began is over. */
const lease = { lastsS: 30, usedForMs: 15_000 };
/** A project that is past its limit is told so from memory for a moment, however often it asks. */
const refusedForMs = 250;

interface Spender {
  readonly project: Project;
  readonly db: Pick<RequestContext['db'], 'whenOver'>;
}

interface QuotaDeps {
  readonly cells: Cells;
  readonly sources: QuotaSources;
  /** Does a cell take no more writes? */
  readonly isFull: (cell: number) => boolean;
}

interface Use {
  readonly limit: number;
  readonly used: number;
}

/**
 * Holds projects to their quotas, without a row that every write would have to wait for: a node takes a lease on a small
 * part of what is left, and writes take from the lease in memory. What is used, plus all leases, is never past the limit.
 */
export class Quotas {
  readonly #deps: QuotaDeps;
  readonly #node = randomUUID();
  readonly #leases = new LRUCache<string, Lease>(upTo(50_000));
  readonly #refusals = new LRUCache<string, Use & { amount: number; until: number }>(upTo(10_000));
  readonly #renewals = new KeyedMutex();

  constructor(deps: QuotaDeps) {
    this.#deps = deps;
  }

  /** Does work that makes a project use more, if its quotas and the disk have room for it. */
  async spend<Result>(
    { project, db }: Spender,
    amounts: Amounts,
    work: () => Promise<Result>,
  ): Promise<Result> {
    this.requireRoom(project);
    const taken: (() => void)[] = [];
    const release = () => {
      for (const done of taken) done();
    };
    try {
      for (const quota of quotas) {
        const amount = amounts[quota] ?? 0;
        const limit = project.limits[quota];
        if (limit === null || amount <= 0) continue;
        const held = await this.#take(project, quota, { amount, limit });
        taken.push(() => held.release(amount));
      }
      return await work();
    } finally {
      if (taken.length > 0) db.whenOver(release);
    }
  }

  /** Refuses to write into a cell that is full. */
  requireRoom({ cell }: Pick<Project, 'cell'>): void {
    if (this.#deps.isFull(cell)) throw cellFull();
  }

  /** What the project has used of each quota. */
  async read({
    project,
    db,
  }: Pick<RequestContext, 'project' | 'db'>): Promise<Record<Quota, Use | { limit: null; used: number }>> {
    const use: Partial<Record<Quota, { used: number; limit: number | null }>> = {};
    // One after the other: a call that only looks takes one connection.
    for (const quota of quotas)
      use[quota] = { used: await this.#deps.sources[quota](db), limit: project.limits[quota] };
    return use as Record<Quota, Use>;
  }

  async #take(project: Project, quota: Quota, wanted: Wanted): Promise<Lease> {
    const key = `${project.id}/${quota}`;
    const held = this.#leases.get(key) ?? new Lease();
    this.#leases.set(key, held);
    if (held.take(wanted.amount)) return held;
    await this.#renewals.run(key, async () => {
      if (held.take(wanted.amount)) return;
      this.#refuseAgain(key, quota, wanted);
      const use = await this.#renew(project, quota, wanted, held);
      if (held.take(wanted.amount)) return;
      this.#refusals.set(key, { ...use, amount: wanted.amount, until: performance.now() + refusedForMs });
      throw quotaExceeded(quota, use);
    });
    return held;
  }

  #refuseAgain(key: string, quota: Quota, { amount, limit }: Wanted): void {
    const refusal = this.#refusals.get(key);
    if (!refusal || refusal.limit !== limit || refusal.amount > amount) return;
    if (performance.now() < refusal.until) throw quotaExceeded(quota, refusal);
  }

  /** Takes as much as is left, up to a share of the limit or what is wanted, and says how much is used. */
  async #renew(project: Project, quota: Quota, { amount, limit }: Wanted, held: Lease): Promise<Use> {
    const expiresAt = performance.now() + lease.usedForMs;
    const inFlight = held.end();
    // On a connection of its own: the call may hold one already, and what others hold must not wait for its end.
    const { used, granted } = await this.#deps.cells.lookups(project).transaction(async (db) => {
      await lockLeases(db);
      const used = await this.#deps.sources[quota](db);
      const others = await sumLeasesOfOthers(db, quota, this.#node);
      // What is in flight may be committed, and counted as used, by now: then less is granted than could be.
      const free = Math.max(0, limit - used - others - inFlight);
      const granted = Math.min(free, Math.max(amount, Math.ceil(limit * share)));
      await saveLease(db, { quota, node: this.#node, amount: inFlight + granted, lastsS: lease.lastsS });
      return { used, granted };
    });
    held.renew(granted, expiresAt);
    return { limit, used };
  }
}

interface Wanted {
  readonly amount: number;
  readonly limit: number;
}
