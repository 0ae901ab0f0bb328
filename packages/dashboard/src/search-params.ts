/** What an address says, if it says a text. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** What an address says when some of it has changed; what says nothing is left out. */
export const withChanges = <Search extends object>(now: Search, changes: object): Search =>
  Object.fromEntries(
    Object.entries({ ...now, ...changes }).filter(([, value]) => value !== undefined && value !== ''),
  ) as Search;
