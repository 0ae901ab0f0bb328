/** What an object offers once its module is here: every method waits for it. */
export type Lazy<Whole> = {
  readonly [Name in keyof Whole]: Whole[Name];
};

/** Stands for an object whose module is fetched when a method of it is first called. All methods must be async. */
export function lazily<Whole extends object>(load: () => Promise<Whole>): Lazy<Whole> {
  return new Proxy({} as Whole, {
    get: (_, name) =>
      // To wait for it is not to call it.
      name === 'then' || typeof name === 'symbol'
        ? undefined
        : async (...given: unknown[]) => {
            const whole = (await load()) as Record<string, (...given: unknown[]) => unknown>;
            return whole[name]!(...given);
          },
  });
}
