import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Project, ProjectDirectory } from '../../../calls/index.ts';
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
  readonly #byRef: CachedLookup<Project>;
  readonly #refOfKey: CachedLookup<{ ref: string }>;
  /** Callers send the same key with every call: its hash is computed once. */
  readonly #hashes = new LRUCache<string, HashedKey>({ max: 20_000 });

  constructor(control: ControlDb, listener: InvalidationListener) {
    this.#control = control;
    this.#byRef = new CachedLookup(listener, {
      max: 50_000,
      topic: 'project',
      load: (ref) => findByRef(control, ref),
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
    return findById(this.#control, id);
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
