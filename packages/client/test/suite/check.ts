import { type Client, type ClientOptions, createClient, type Id } from '../../src/index.ts';

/** What a check has to work with, wherever it runs. */
export interface Stage {
  /** The address of the project. */
  readonly url: string;
  /** Not in pages. */
  readonly apiKey?: string;
  readonly webSocket?: ClientOptions['webSocket'];
}

export interface Project {
  readonly collections: {
    /** Everyone who is signed in reads and creates, owners change. */
    readonly notes: { tag: string; text: string; n?: number; author_id?: string; link_id?: Id<'notes'> };
    /** Everyone may do everything. */
    readonly board: { tag: string; text: string; n?: number; seen?: boolean };
  };
  readonly user: { readonly data: { name?: string; avatar?: string } };
}

export type TestClient = Client<Project>;
export type Check = (stage: Stage) => Promise<void>;

export const client = (stage: Stage, options: Partial<ClientOptions> = {}): TestClient =>
  createClient<Project>({
    url: stage.url,
    storage: memory(),
    ...(stage.webSocket && { webSocket: stage.webSocket }),
    ...options,
  });

/** What a page keeps, for one test. */
export function memory(): NonNullable<ClientOptions['storage']> & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

let last = 0;
/** Something that no other check uses. */
export function unique(): string {
  last += 1;
  return `t${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}${last}`;
}

export const password = 'correct horse';

export async function signedUp(stage: Stage, options: Partial<ClientOptions> = {}) {
  const plinth = client(stage, options);
  const email = `${unique()}@example.com`;
  const user = await plinth.auth.signUp({ email, password, data: { name: 'Ada' } });
  return { plinth, email, user };
}

export function equal(given: unknown, wanted: unknown, what = 'value'): void {
  const [a, b] = [print(given), print(wanted)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}

/** As JSON, whatever the order of fields. */
const print = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? // oxlint-disable-next-line unicorn/no-array-sort -- runs where there is no toSorted
        Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

export function truthy(value: unknown, what: string): asserts value {
  if (!value) throw new Error(`Not so: ${what}`);
}

/** The code that something fails with. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
  throw new Error('It did not fail.');
}

/** Waits until it is so. */
export async function until(isSo: () => boolean, what: string, withinMs = 60_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
