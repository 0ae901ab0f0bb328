import type { AccountCaller, AccountDirectory, Membership } from '../../../calls/management/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { CachedLookup } from '../../../platform/invalidation/cached-lookup.ts';
import type { Invalidations } from '../../../platform/invalidation/invalidations.ts';
import type { Log } from '../../../platform/log.ts';
import { findSession, type SessionRow, touchSession } from './session-store.ts';
import { type FoundToken, findToken, touchToken } from './token-store.ts';

/** When a session or token was last used is known to within this. */
const touchEveryMs = 5 * 60_000;
const lastsMs = 30 * 24 * 3600_000;
const idleMs = 14 * 24 * 3600_000;

interface DirectoryDeps {
  /** For what caches read. */
  readonly lookups: ControlDb;
  readonly control: ControlDb;
  readonly listener: Invalidations;
  readonly log: Log;
  readonly findProject: (ref: string, isDeleted: boolean) => Promise<{ readonly id: string } | undefined>;
  readonly findRole: (accountId: string, projectId: string) => Promise<Membership | undefined>;
}

/** Finds accounts for incoming calls, from memory as long as that is known to be current. */
export class CachedAccountDirectory implements AccountDirectory {
  readonly #deps: DirectoryDeps;
  readonly #sessions: CachedLookup<SessionRow>;
  readonly #tokens: CachedLookup<FoundToken>;
  readonly #members: CachedLookup<Membership>;
  readonly #touched = new WeakMap<object, number>();

  constructor(deps: DirectoryDeps) {
    this.#deps = deps;
    const { listener, lookups } = deps;
    this.#sessions = new CachedLookup(listener, {
      max: 10_000,
      topic: 'account-session',
      load: (hex) => findSession(lookups, Buffer.from(hex, 'hex')),
    });
    this.#tokens = new CachedLookup(listener, {
      max: 10_000,
      topic: 'account-token',
      load: (hex) => findToken(lookups, Buffer.from(hex, 'hex')),
    });
    this.#members = new CachedLookup(listener, {
      max: 50_000,
      topic: 'member',
      load: (key) => {
        const [accountId = '', projectId = ''] = key.split(' ');
        return deps.findRole(accountId, projectId);
      },
    });
  }

  async findBySession(token: string): Promise<AccountCaller | undefined> {
    const session = await this.#sessions.get(sha256(token).toString('hex'));
    if (!session || isOver(session, this.#touched.get(session))) return undefined;
    this.#touch(session, session.seenAt, () => touchSession(this.#deps.control, session.id));
    return { account: session.account, session };
  }

  async findByToken(token: string): Promise<AccountCaller | 'expired' | undefined> {
    const found = await this.#tokens.get(sha256(token).toString('hex'));
    if (!found) return undefined;
    if (found.expiresAt.getTime() <= Date.now()) return 'expired';
    this.#touch(found, found.usedAt, () => touchToken(this.#deps.control, found.id));
    return { account: found.account, token: found };
  }

  async roleIn(accountId: string, ref: string, isDeleted = false): Promise<Membership | undefined> {
    const project = await this.#deps.findProject(ref, isDeleted);
    return project && this.#members.get(`${accountId} ${project.id}`);
  }

  /** Notes that something is in use; the call does not wait for it, nor fail with it. */
  #touch(used: object, before: Date | null, write: () => Promise<void>): void {
    const last = this.#touched.get(used) ?? before?.getTime() ?? 0;
    if (Date.now() - last < touchEveryMs) return;
    this.#touched.set(used, Date.now());
    write().catch((error: unknown) => this.#deps.log.warn({ err: error }, 'a use could not be recorded'));
  }
}

function isOver({ signedInAt, seenAt }: SessionRow, touchedAt = 0): boolean {
  const now = Date.now();
  return now - signedInAt.getTime() > lastsMs || now - Math.max(seenAt.getTime(), touchedAt) > idleMs;
}
