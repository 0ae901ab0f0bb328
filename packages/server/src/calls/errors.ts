import { defineError } from '../platform/errors.ts';

export const answerTooLarge = defineError('answer_too_large', (most: number) => ({
  message: `The response would have more than ${most} bytes. Request fewer documents (limit), or populate less.`,
  details: { most },
}));

export const tooManyLargeBodies = defineError('rate_limited', () => ({
  message: 'Too many large request bodies at once. Send them one after another.',
  headers: { 'Retry-After': '5' },
}));

export const queryTooLong = defineError(
  'invalid_query',
  (most: number) =>
    `The query string of a URL can have at most ${most} bytes. Send a longer one as the body of POST /collections/{collection}/query.`,
);

export const invalidQuery = defineError('invalid_query', (parameter: string, problem: string) => ({
  message: parameter === '' ? problem : `${parameter.slice(0, 100)}: ${problem}`,
  details: { parameter: parameter.slice(0, 200) },
}));
