import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  type KeyHolder,
  limitsOf,
  type Project,
  type ProjectDirectory,
  type ProjectRecord,
  type ScopedKey,
  type Tiers,
} from '../../../calls/index.ts';
import { andThen, type NowOrLater } from '../../../platform/concurrency/now-or-later.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { CachedLookup } from '../../../platform/invalidation/cached-lookup.ts';
import type { Invalidations } from '../../../platform/invalidation/invalidations.ts';
import { upTo } from '../../../platform/up-to.ts';
import { findById, findByRef, findRefByKeyHash } from './store.ts';

/** How many projects a process keeps in memory. */
export const knownProjects = 50_000;

const refForm = /^[a-z0-9]{12}$/;

/** A further key and its project; undefined if there is none of that hash. */
type FindKey = (
  control: ControlDb,
  hash: Buffer,
) => Promise<{ projectId: string; key: ScopedKey } | undefined>;

interface KeyOwner {
  readonly ref: string;
  readonly key?: ScopedKey;
}

interface HashedKey {
  readonly hash: Buffer;
  readonly hex: string;
}

function hashed(apiKey: string): HashedKey {
  const hash = sha256(apiKey);
  return { hash, hex: hash.toString('hex') };
}

/** Finds projects for incoming calls, from memory as long as that is known to be current. */
export class CachedProjectDirectory implements ProjectDirectory {
  readonly #control: ControlDb;
  readonly #tiers: Tiers;
  readonly #byRef: CachedLookup<Project>;
  readonly #holders: CachedLookup<KeyOwner>;
  /** Callers send the same key with every call: its hash is computed once. */
  readonly #hashes = new LRUCache<string, HashedKey>(upTo(20_000));

  /** `findKey` knows the further keys of projects. */
  constructor(
    control: ControlDb,
    listener: Invalidations,
    { tiers, findKey }: { tiers: Tiers; findKey: FindKey },
  ) {
    this.#control = control;
    this.#tiers = tiers;
    this.#byRef = new CachedLookup(listener, {
      max: knownProjects,
      topic: 'project',
      load: async (ref) => this.#limited(await findByRef(control, ref)),
    });
    // A further key is invalidated by its hash; the key of the project is checked against it, which is invalidated.
    this.#holders = new CachedLookup(listener, {
      max: knownProjects,
      topic: 'key',
      load: async (hex) => {
        const hash = Buffer.from(hex, 'hex');
        const owner = await findRefByKeyHash(control, hash);
        if (owner) return owner;
        const found = await findKey(control, hash);
        const project = found && (await findById(control, found.projectId));
        return project && { ref: project.ref, key: found.key };
      },
    });
  }

  findByRef(ref: string): NowOrLater<Project | undefined> {
    return refForm.test(ref) ? this.#byRef.get(ref) : undefined;
  }

  /** For jobs, which know a project by its id. */
  async findById(id: string): Promise<Project | undefined> {
    return this.#limited(await findById(this.#control, id));
  }

  #limited(project: ProjectRecord | undefined): Project | undefined {
    return project && { ...project, limits: limitsOf(project, this.#tiers) };
  }

  findByApiKey(apiKey: string): NowOrLater<KeyHolder | undefined> {
    const known = this.#hashes.get(apiKey);
    const hash = known ?? hashed(apiKey);
    return andThen(this.#find(hash), (holder) => {
      if (holder && !known) this.#hashes.set(apiKey, hash);
      return holder;
    });
  }

  findByKeyHash(hash: Buffer): NowOrLater<KeyHolder | undefined> {
    return this.#find({ hash, hex: hash.toString('hex') });
  }

  #find({ hash, hex }: HashedKey): NowOrLater<KeyHolder | undefined> {
    return andThen(
      this.#holders.get(hex),
      (owner) =>
        owner &&
        andThen(this.#byRef.get(owner.ref), (project) => {
          if (!project) return undefined;
          if (owner.key) return { project, key: owner.key };
          return timingSafeEqual(project.apiKeyHash, hash) ? { project } : undefined;
        }),
    );
  }
}
