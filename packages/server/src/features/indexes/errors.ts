import { defineError } from '../../platform/errors.ts';

export const indexNotFound = defineError(
  'index_not_found',
  (id: string) => `The collection has no index "${id.slice(0, 100)}". List them with GET …/indexes.`,
);
export const indexExists = defineError(
  'index_exists',
  (kind: string, fields: readonly string[]) =>
    `There is already a ${kind} index of ${fields.join(', ')}. List them with GET …/indexes.`,
);
export const invalidIndex = defineError('invalid_index', (problem: string) => problem);
export const tooManyIndexes = defineError(
  'too_many_indexes',
  (most: number) =>
    `A collection has at most ${most} indexes that were asked for. Drop one that is no longer needed.`,
);
export const queryTooSlow = defineError(
  'query_too_slow',
  (collection: string, help?: { kind: string; fields: readonly string[]; isBuilding: boolean }) => {
    const { kind, fields = [], isBuilding = false } = help ?? {};
    const names = fields.map((field) => `"${field.slice(0, 100)}"`).join(', ');
    const what = kind === 'statistics' ? `statistics of ${names}` : `a ${kind} index of ${names}`;
    const hint = !help
      ? 'No further index would help: narrow it with a filter, or ask for no exact count.'
      : isBuilding
        ? `What helps it, ${what}, is being built: try again in a few minutes.`
        : `What would help it is ${what}: ask for it with POST /collections/${collection}/indexes, or narrow the query.`;
    return {
      message: `The query took too long. ${hint} GET /collections/${collection}/indexes/advice says more.`,
      details: { index: help ? { kind, fields } : null, isBuilding },
    };
  },
);
export const duplicateValue = defineError('duplicate_value', (fields: readonly string[], item?: number) => {
  const names = fields.map((field) => `"${field.slice(0, 100)}"`).join(', ');
  const what =
    fields.length > 1
      ? `these values of ${names} together. Send others`
      : `this value of ${names || 'a field'}, which no two can have. Send another`;
  const [at, others] =
    item === undefined ? ['', 'the collection'] : [`Item ${item}: `, 'the collection, or of this batch,'];
  return {
    message: `${at}Another document of ${others} has ${what}. Nothing was changed.`,
    details: { fields, ...(item !== undefined && { index: item }) },
  };
});
export const tooManyQueries = defineError('too_many_queries', () => ({
  message:
    'The filtered and sorted lists of this project that run at the same time take too long together. Send fewer at once, and see GET …/indexes/advice for what would make them quicker.',
  headers: { 'Retry-After': '1' },
}));
