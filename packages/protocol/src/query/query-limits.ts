export const queryLimits = {
  /** A query sent in a body. @limit invalid_query bytes */
  queryLength: 65_536,
  /** Parameters in a query. @limit invalid_query */
  parameters: 100,
  /** Conditions in a query, after expanding `a__or__b`. @limit invalid_query */
  conditions: 100,
  /** Values in `__in` and `__notin`. @limit invalid_query */
  listValues: 500,
  /** Fields that a list is sorted by. @limit invalid_query */
  sortFields: 5,
  /** Links in `populate`. @limit invalid_query */
  populated: 50,
  /** Segments in a path. @limit invalid_query */
  pathDepth: 32,
  defaultLimit: 20,
  /** Documents on a page; a larger `limit` is treated as this one. @limit - */
  maxLimit: 100,
  /** `offset` of a list; `cursor` has no limit. @limit invalid_query */
  maxOffset: 100_000,
} as const;
