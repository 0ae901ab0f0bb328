import { defineError } from '../../../platform/errors.ts';

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
export const tooManyQueries = defineError('too_many_queries', () => ({
  message:
    'The filtered and sorted lists of this project that run at the same time take too long together. Send fewer at once, and see GET …/indexes/advice for what would make them quicker.',
  headers: { 'Retry-After': '1' },
}));
