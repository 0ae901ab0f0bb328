import type { Lease } from './lease.ts';

/** How many processes have a lease at once: if one of them hangs, the work goes on. */
export const leaseHolders = 2;

/**
 * The roles of `$1` that this session gets a place of, by advisory locks: they end with the session, however that ends.
 * A part of the ping, so that asking costs nothing.
 */
export const takenRoles = `ARRAY (SELECT role FROM unnest($1::text[]) AS role WHERE (
    SELECT true FROM generate_series(1, ${leaseHolders}) AS place
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
  readonly #waiting = new Set<() => void>();

  get isHeld(): boolean {
    return this.#losing !== undefined;
  }

  async held(stopping: AbortSignal): Promise<AbortSignal | undefined> {
    while (!this.#losing && !stopping.aborted) await this.#taken(stopping);
    return stopping.aborted ? undefined : this.#losing?.signal;
  }

  take(): void {
    this.#losing ??= new AbortController();
    for (const end of Array.from(this.#waiting)) end();
  }

  lose(): void {
    this.#losing?.abort();
    this.#losing = undefined;
  }

  /** Resolves when it is taken or the wait is over, which leaves nothing behind: a process may wait for years, often. */
  #taken(stopping: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.#waiting.delete(end);
        stopping.removeEventListener('abort', end);
        resolve();
      };
      this.#waiting.add(end);
      stopping.addEventListener('abort', end);
    });
  }
}
