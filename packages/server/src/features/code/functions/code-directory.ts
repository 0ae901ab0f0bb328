import type { Project } from '../../../calls/index.ts';
import { andThen, type NowOrLater } from '../../../platform/concurrency/now-or-later.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import { CachedLookup } from '../../../platform/invalidation/cached-lookup.ts';
import type { InvalidationListener } from '../../../platform/invalidation/invalidation-listener.ts';
import { type Code, CodeFolders, type Files } from '../sandbox/index.ts';
import { findActive, readFiles } from './deployment-store.ts';
import { type Deployment, type FunctionRecord, isBefore } from './function-record.ts';
import { unpackFiles } from './packed-files.ts';

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

/** Finds the code that runs, and has it on the disk. */
export class CodeDirectory {
  readonly #cells: Cells;
  readonly #known: ReadonlyMap<number, CachedLookup<KnownCode>>;
  readonly #folders = new CodeFolders();

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

  active({ id, cell }: Pick<Project, 'id' | 'cell'>): NowOrLater<ActiveCode | undefined> {
    return andThen(this.#known.get(cell)?.get(id), (known) => known?.active);
  }

  /** This node forgets at once; the others when they hear of it. */
  switched({ id, cell }: Pick<Project, 'id' | 'cell'>): void {
    this.#known.get(cell)?.forget(id);
  }

  /** The files of a version that is kept. */
  async codeOf(project: Project, { version, digest }: Pick<ActiveCode, 'version' | 'digest'>): Promise<Code> {
    return this.#folders.place(project.id, digest, async () => {
      const packed = await readFiles(this.#cells.forProject(project), version, 'code');
      if (!packed) throw new Error('The code of a deployment is gone.');
      return unpackFiles(packed);
    });
  }

  /** Files that are not kept yet. */
  async place(project: Project, digest: string, files: Files): Promise<Code> {
    return this.#folders.place(project.id, digest, async () => files);
  }

  async close(): Promise<void> {
    await this.#folders.close();
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
