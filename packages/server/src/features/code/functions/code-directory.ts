import { chmodSync, mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Project } from '../../../calls/index.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import { CachedLookup } from '../../../platform/invalidation/cached-lookup.ts';
import type { InvalidationListener } from '../../../platform/invalidation/invalidation-listener.ts';
import type { Code } from '../sandbox/index.ts';
import { findActive, readFiles } from './deployment-store.ts';
import { type Deployment, type Files, type FunctionRecord, isBefore } from './function-record.ts';

const unzip = promisify(gunzip);

/** Bytes of code that this node keeps on its disk. */
const mostBytes = 1024 * 1_048_576;

interface Folder {
  readonly path: string;
  readonly bytes: number;
}

/** The version of a project that runs. */
export interface ActiveCode {
  readonly version: number;
  readonly digest: string;
  readonly functions: ReadonlyMap<string, FunctionRecord>;
  /** Hooks that run before something is written, in the order of their names; absent: there are none. */
  readonly before?: ReadonlyMap<string, readonly FunctionRecord[]>;
}

/** What is known of a project: also that no code of it runs. */
interface KnownCode {
  readonly active?: ActiveCode;
}

const noCode: KnownCode = Object.freeze({});

/** Under which key `ActiveCode.before` has the hooks of an event. */
export function keyOf({
  event,
  collection = '',
}: {
  event?: string;
  collection?: string | undefined;
}): string {
  return `${event} ${collection}`;
}

/** Finds the code that runs, and puts it on the disk, from where processes read it. */
export class CodeDirectory {
  readonly #cells: Cells;
  readonly #known: ReadonlyMap<number, CachedLookup<KnownCode>>;
  readonly #folders = new LRUCache<string, Folder>({
    maxSize: mostBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes),
    dispose: ({ path }) => void rm(path, { recursive: true, force: true }).catch(() => {}),
  });
  readonly #writing = new Map<string, Promise<string>>();
  #base: string | undefined;
  #written = 0;

  constructor(cells: Cells, listeners: ReadonlyMap<number, InvalidationListener>) {
    this.#cells = cells;
    this.#known = new Map(
      Array.from(listeners, ([cell, listener]) => {
        const load = async (id: string) => {
          const found = await findActive(cells.lookups({ id, cell }));
          return found ? { active: readActive(found) } : noCode;
        };
        return [cell, new CachedLookup<KnownCode>(listener, { max: 50_000, topic: 'code', load })];
      }),
    );
  }

  async active({ id, cell }: Pick<Project, 'id' | 'cell'>): Promise<ActiveCode | undefined> {
    return (await this.#known.get(cell)?.get(id))?.active;
  }

  /** This node forgets at once; the others when they hear of it. */
  switched({ id, cell }: Pick<Project, 'id' | 'cell'>): void {
    this.#known.get(cell)?.forget(id);
  }

  /** The files of a version that is kept. */
  async codeOf(project: Project, { version, digest }: Pick<ActiveCode, 'version' | 'digest'>): Promise<Code> {
    const folder = await this.#folder(`${project.id}-${digest}`, async () => {
      const packed = await readFiles(this.#cells.forProject(project), version, 'code');
      if (!packed) throw new Error('The code of a deployment is gone.');
      return JSON.parse((await unzip(packed)).toString('utf8')) as Files;
    });
    return { project: project.id, version: digest, folder };
  }

  /** Files that are not kept yet. */
  async place(project: Project, digest: string, files: Files): Promise<Code> {
    const folder = await this.#folder(`${project.id}-${digest}`, async () => files);
    return { project: project.id, version: digest, folder };
  }

  async close(): Promise<void> {
    if (this.#base !== undefined) await rm(this.#base, { recursive: true, force: true });
  }

  async #folder(name: string, read: () => Promise<Files>): Promise<string> {
    const known = this.#folders.get(name);
    if (known) return known.path;
    const writing = this.#writing.get(name) ?? this.#write(name, read);
    this.#writing.set(name, writing);
    return writing.finally(() => this.#writing.delete(name));
  }

  async #write(name: string, read: () => Promise<Files>): Promise<string> {
    // Processes may run as other users: they pass through, and read what they are given the name of.
    if (this.#base === undefined) {
      this.#base = mkdtempSync(join(tmpdir(), 'plinth-code-'));
      chmodSync(this.#base, 0o711);
    }
    // Never one that was there before: it may just be being removed.
    this.#written += 1;
    const path = join(this.#base, `${name}-${this.#written}`);
    await mkdir(path, { recursive: true, mode: 0o755 });
    const files = Object.entries(await read());
    await Promise.all(files.map(([file, text]) => writeFile(join(path, file), text, { mode: 0o644 })));
    this.#folders.set(name, { path, bytes: files.reduce((sum, [, text]) => sum + text.length, 0) });
    return path;
  }
}

function readActive({ version, digest, functions }: Deployment): ActiveCode {
  const hooks = functions.filter(isBefore).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    version,
    digest,
    functions: new Map(functions.map((one) => [one.name, one])),
    ...(hooks.length > 0 && { before: Map.groupBy(hooks, keyOf) }),
  };
}
