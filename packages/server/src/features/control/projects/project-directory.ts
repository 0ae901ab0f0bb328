import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  limitsOf,
  type Project,
  type ProjectDirectory,
  type ProjectRecord,
  type Tiers,
} from '../../../calls/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { CachedLookup } from '../../../platform/invalidation/cached-lookup.ts';
import type { InvalidationListener } from '../../../platform/invalidation/invalidation-listener.ts';
import { findById, findByRef, findRefByKeyHash } from './store.ts';

const refForm = /^[a-z0-9]{12}$/;

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
  readonly #refOfKey: CachedLookup<{ ref: string }>;
  /** Callers send the same key with every call: its hash is computed once. */
  readonly #hashes = new LRUCache<string, HashedKey>({ max: 20_000 });

  constructor(control: ControlDb, listener: InvalidationListener, tiers: Tiers) {
    this.#control = control;
    this.#tiers = tiers;
    this.#byRef = new CachedLookup(listener, {
      max: 50_000,
      topic: 'project',
      load: async (ref) => this.#limited(await findByRef(control, ref)),
    });
    // Never invalidated by key: the result is checked against the project, which is invalidated.
    this.#refOfKey = new CachedLookup(listener, {
      max: 50_000,
      topic: 'key',
      load: (hash) => findRefByKeyHash(control, Buffer.from(hash, 'hex')),
    });
  }

  async findByRef(ref: string): Promise<Project | undefined> {
    return refForm.test(ref) ? this.#byRef.get(ref) : undefined;
  }

  /** For jobs, which know a project by its id. */
  async findById(id: string): Promise<Project | undefined> {
    return this.#limited(await findById(this.#control, id));
  }

  #limited(project: ProjectRecord | undefined): Project | undefined {
    return project && { ...project, limits: limitsOf(project, this.#tiers) };
  }

  async findByApiKey(apiKey: string): Promise<Project | undefined> {
    const { hash, hex } = this.#hashes.get(apiKey) ?? hashed(apiKey);
    const owner = await this.#refOfKey.get(hex);
    const project = owner && (await this.#byRef.get(owner.ref));
    if (!project || !timingSafeEqual(project.apiKeyHash, hash)) return undefined;
    this.#hashes.set(apiKey, { hash, hex });
    return project;
  }
}
