export const queryLimits = {
  /** Bytes of query string, as sent. */
  queryLength: 8192,
  parameters: 100,
  /** Conditions after `a__or__b` is spread out. */
  conditions: 100,
  listValues: 500,
  sortFields: 5,
  pathDepth: 32,
  defaultLimit: 20,
  maxLimit: 100,
  maxOffset: 100_000,
} as const;
