import { type Trigger, triggerMark } from '../triggers.ts';

interface Loaded {
  readonly default?: unknown;
  readonly access?: unknown;
  readonly timeoutSeconds?: unknown;
}

/** What a module is, as far as the service has to know before it is called. */
export interface Description {
  readonly file: string;
  readonly kind: 'http' | Trigger['kind'];
  readonly access?: unknown;
  readonly event?: string;
  readonly collection?: string;
  readonly cron?: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** What it took to load, in milliseconds. */
  readonly loadMs: number;
}

/** The modules of the project, each loaded when it is first needed. */
export class Modules {
  readonly #folder: string;
  readonly #loaded = new Map<string, Promise<Loaded>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async httpFunction(file: string): Promise<(request: Request, ctx: unknown) => unknown> {
    const { default: found } = await this.#load(file);
    if (typeof found !== 'function') throw new TypeError(`The default export of ${file} is not a function.`);
    return found as (request: Request, ctx: unknown) => unknown;
  }

  async trigger(file: string): Promise<Trigger> {
    const { default: found } = await this.#load(file);
    if (!isTrigger(found))
      throw new TypeError(`The default export of ${file} is not a hook, schedule or task.`);
    return found;
  }

  async describe(file: string): Promise<Description> {
    const begun = performance.now();
    const { default: found, access, timeoutSeconds } = await this.#load(file);
    const loadMs = Math.round(performance.now() - begun);
    if (isTrigger(found)) {
      const { kind, event, collection, cron, options } = found;
      return {
        file,
        kind,
        ...(event !== undefined && { event }),
        ...(collection !== undefined && { collection }),
        ...(cron !== undefined && { cron }),
        options,
        loadMs,
      };
    }
    if (typeof found !== 'function')
      throw new TypeError(
        `${file} needs a default export that is a function, a hook, a schedule or a task. Write "export default async (request, ctx) => …".`,
      );
    return { file, kind: 'http', access, options: { timeoutSeconds }, loadMs };
  }

  #load(file: string): Promise<Loaded> {
    let found = this.#loaded.get(file);
    if (!found) {
      // The address is computed, so the module and all that it imports stand under the permissions of this process.
      found = import(`${this.#folder}${file}`) as Promise<Loaded>;
      this.#loaded.set(file, found);
      found.catch(() => this.#loaded.delete(file));
    }
    return found;
  }
}

function isTrigger(value: unknown): value is Trigger {
  return typeof value === 'object' && value !== null && triggerMark in value;
}
