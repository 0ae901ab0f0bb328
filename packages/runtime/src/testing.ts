/** The library for testing functions. `plinth functions test` starts the service that the tests use. */
import { type Client, createClient, type ProjectTypes } from '@plinth/client';
import type { KnownProject } from './register.ts';

/** A run of a function, as the service has recorded it. */
export interface FunctionRun {
  readonly id: string;
  readonly at: string;
  readonly function: string;
  readonly kind: 'http' | 'hook' | 'schedule' | 'task';
  /** `ok`, or how it failed. */
  readonly outcome: string;
  /** The status of its response, if it was called by a request. */
  readonly status: number | null;
  readonly ms: number;
  /** The error it threw, with the line numbers of your source code. */
  readonly error: { readonly name: string; readonly message: string; readonly stack: string } | null;
  readonly logs: readonly { readonly level: string; readonly text: string }[];
  /** The event that caused it. */
  readonly cause: string | null;
}

/** A project for tests, with the functions of the folder. */
export interface TestProject<P extends ProjectTypes = KnownProject> {
  /** The URL of the project. */
  readonly url: string;
  /** A client of the project with the permissions of a server. */
  readonly db: Client<P>;
  /** Creates a client as an app would, without a signed-in user. */
  newApp(): Client<P>;
  /** Calls a function, or a path below it (`orders/7?full=1`), as a server, and returns the response unchanged. */
  invoke(name: string, init?: RequestInit): Promise<Response>;
  /** Runs a task or a schedule now, and waits until it has finished. */
  run(name: string, payload?: unknown): Promise<FunctionRun>;
  /** The next run of a function that was not returned to a test yet, such as that of a hook; waits up to 10 seconds. */
  nextRun(name: string): Promise<FunctionRun>;
  /** The runs of functions, the newest first. */
  runs(name?: string): Promise<readonly FunctionRun[]>;
}

const limitMs = 10_000;
const askEveryMs = 50;

/** The project of `plinth functions test`. */
export async function testProject<P extends ProjectTypes = KnownProject>(): Promise<TestProject<P>> {
  const { url, apiKey } = addressOfProject();
  const db = createClient<P>({ url, apiKey });
  const runs = async (name?: string) => {
    const query = new URLSearchParams({ limit: '200', ...(name !== undefined && { function: name }) });
    const path = '/function-runs';
    return (await db.call<FunctionRun[]>({ method: 'GET', path, query: query.toString() })).data;
  };
  // What ran for the tests of another file is not waited for in this one.
  const given = new Set((await runs()).map(({ id }) => id));
  const untilRun = async (name: string, fits: (run: FunctionRun) => boolean): Promise<FunctionRun> => {
    for (const deadline = Date.now() + limitMs; Date.now() < deadline; ) {
      const found = (await runs(name)).findLast((run) => !given.has(run.id) && fits(run));
      if (found) {
        given.add(found.id);
        return found;
      }
      await new Promise((resolve) => setTimeout(resolve, askEveryMs));
    }
    throw new Error(`"${name}" did not run within ${limitMs / 1000} seconds.`);
  };
  return {
    url,
    db,
    newApp: () => createClient<P>({ url }),
    invoke: (name, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set('X-API-Key', apiKey);
      return fetch(`${url}/functions/${name}`, { ...init, headers });
    },
    run: async (name, payload = null) => {
      const call = { method: 'POST', path: '/tasks', body: { function: name, payload } } as const;
      const { id } = (await db.call<{ id: string }>(call)).data;
      return untilRun(name, ({ cause }) => cause?.endsWith(id) === true);
    },
    nextRun: (name) => untilRun(name, () => true),
    runs,
  };
}

interface Process {
  readonly env: Readonly<Record<string, string | undefined>>;
}

function addressOfProject(): { url: string; apiKey: string } {
  // The runtime has no types of Node.
  const process = Reflect.get(globalThis, 'process') as Process | undefined;
  const { PLINTH_URL: url, PLINTH_API_KEY: apiKey } = process?.env ?? {};
  if (url !== undefined && apiKey !== undefined) return { url, apiKey };
  throw new Error('Run these tests with: plinth functions test');
}
