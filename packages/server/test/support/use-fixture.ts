import { afterAll, beforeAll } from 'vitest';

/** The names of everything that a fixture has. */
export type Members<T> = Readonly<Record<keyof T, true>>;

/**
 * Opens something before the tests of a file or a `describe`, and closes it after them. What is returned at once can be
 * kept in a constant; each member is looked up when it is used, which only tests and hooks can do.
 */
export function useFixture<T extends AsyncDisposable>(members: Members<T>, open: () => Promise<T>): T {
  let opened: T | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());
  const handle = {};
  for (const name of Reflect.ownKeys(members)) {
    Object.defineProperty(handle, name, {
      enumerable: true,
      get() {
        if (!opened) throw new Error(`${String(name)} is there only while tests and their hooks run.`);
        return Reflect.get(opened, name);
      },
    });
  }
  return handle as T;
}
