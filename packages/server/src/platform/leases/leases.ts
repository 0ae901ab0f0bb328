import { type Lease, whenAborted } from './lease.ts';

/** How many processes have a lease at once: if one of them hangs, the work goes on. */
const places = 2;

/**
 * The roles of `$1` that this session gets a place of, by advisory locks: they end with the session, however that ends.
 * A part of the ping, so that asking costs nothing.
 */
export const takenRoles = `ARRAY (SELECT role FROM unnest($1::text[]) AS role WHERE (
    SELECT true FROM generate_series(1, ${places}) AS place
    WHERE pg_try_advisory_lock(hashtextextended('plinth lease ' || role || ' ' || place, 0)) LIMIT 1))`;

/** The leases of one process in one cell. They are held by the session that also hears of invalidations. */
export class Leases {
  readonly #byRole = new Map<string, SessionLease>();

  /** From now on the process tries to get the lease of this role. */
  want(role: string): Lease {
    const lease = this.#byRole.get(role) ?? new SessionLease();
    this.#byRole.set(role, lease);
    return lease;
  }

  /** Roles that are wanted and not held. */
  get missing(): string[] {
    return Array.from(this.#byRole.keys()).filter((role) => !this.#byRole.get(role)?.isHeld);
  }

  take(roles: readonly string[]): void {
    for (const role of roles) this.#byRole.get(role)?.take();
  }

  /** The session that held them is gone. */
  loseAll(): void {
    for (const lease of this.#byRole.values()) lease.lose();
  }
}

class SessionLease implements Lease {
  #losing: AbortController | undefined;
  #taken = Promise.withResolvers<void>();

  get isHeld(): boolean {
    return this.#losing !== undefined;
  }

  async held(stopping: AbortSignal): Promise<AbortSignal | undefined> {
    const stopped = whenAborted(stopping);
    while (!this.#losing && !stopping.aborted) await Promise.race([this.#taken.promise, stopped]);
    return stopping.aborted ? undefined : this.#losing?.signal;
  }

  take(): void {
    this.#losing ??= new AbortController();
    this.#taken.resolve();
  }

  lose(): void {
    this.#losing?.abort();
    this.#losing = undefined;
    this.#taken = Promise.withResolvers<void>();
  }
}
