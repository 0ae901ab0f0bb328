export const queryLimits = {
  /** A query, as it is sent in a body. @limit invalid_query bytes */
  queryLength: 65_536,
  /** Parameters of a query. @limit invalid_query */
  parameters: 100,
  /** Conditions of a query, after `a__or__b` is spread out. @limit invalid_query */
  conditions: 100,
  /** Values of `__in` and `__notin`. @limit invalid_query */
  listValues: 500,
  /** Fields that a list is sorted by. @limit invalid_query */
  sortFields: 5,
  /** Links that `populate` names. @limit invalid_query */
  populated: 50,
  /** Steps of a path. @limit invalid_query */
  pathDepth: 32,
  defaultLimit: 20,
  /** Documents on a page. @limit invalid_query */
  maxLimit: 100,
  /** `offset` of a list; `cursor` has no end. @limit invalid_query */
  maxOffset: 100_000,
} as const;
