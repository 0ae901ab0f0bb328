import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { CachedLookup } from '../../platform/cached-lookup.ts';
import type { ChangeListener } from '../../platform/db/change-listener.ts';
import type { ControlDb } from '../../platform/db/control-db.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { Project } from './project.ts';
import { findById, findByRef, findRefByKeyHash } from './store.ts';

const refForm = /^[a-z0-9]{12}$/;

interface Hashed {
  readonly hash: Buffer;
  readonly hex: string;
}

function hashed(apiKey: string): Hashed {
  const hash = sha256(apiKey);
  return { hash, hex: hash.toString('hex') };
}

/** Finds projects for incoming calls, from memory where it can be sure of it. */
export class ProjectDirectory {
  readonly #control: ControlDb;
  readonly #byRef: CachedLookup<Project>;
  readonly #refOfKey: CachedLookup<{ ref: string }>;
  /** Hashes of keys that come with every call. */
  readonly #hashes = new LRUCache<string, Hashed>({ max: 20_000 });

  constructor(control: ControlDb, listener: ChangeListener) {
    this.#control = control;
    this.#byRef = new CachedLookup(listener, {
      max: 50_000,
      topic: 'project',
      load: (ref) => findByRef(control, ref),
    });
    // Never invalidated by key: what it says is checked against the project, which is.
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
