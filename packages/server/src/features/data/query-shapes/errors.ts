import { defineError } from '../../../platform/errors.ts';

export const queryTooSlow = defineError(
  'query_too_slow',
  (collection: string, help?: { kind: string; fields: readonly string[]; isBuilding: boolean }) => {
    const { kind, fields = [], isBuilding = false } = help ?? {};
    const names = fields.map((field) => `"${field.slice(0, 100)}"`).join(', ');
    const what = kind === 'statistics' ? `statistics on ${names}` : `a ${kind} index on ${names}`;
    const hint = !help
      ? 'No further index would help: narrow it with a filter, or skip the exact count.'
      : isBuilding
        ? `To speed it up, ${what} is being built: try again in a few minutes.`
        : `To speed it up, create ${what} with POST /collections/${collection}/indexes, or narrow the query.`;
    return {
      message: `The query took too long. ${hint} For details, see GET /collections/${collection}/indexes/advice.`,
      details: { index: help ? { kind, fields } : null, isBuilding },
    };
  },
);
export const tooManyQueries = defineError('too_many_queries', () => ({
  message:
    'Too many filtered or sorted lists of this project are running at the same time. Send fewer at once, and see GET …/indexes/advice for ways to speed them up.',
  headers: { 'Retry-After': '1' },
}));
