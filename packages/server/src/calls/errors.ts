import { defineError } from '../platform/errors.ts';

export const answerTooLarge = defineError('answer_too_large', (most: number) => ({
  message: `The answer would have more than ${most} bytes. Ask for fewer documents (limit), or populate less.`,
  details: { most },
}));

export const tooManyLargeBodies = defineError('rate_limited', () => ({
  message: 'Too many large bodies are on their way at once. Send them one after the other.',
  headers: { 'Retry-After': '5' },
}));

export const queryTooLong = defineError(
  'invalid_query',
  (most: number) =>
    `The query string of an address has at most ${most} bytes. A longer one can be the body of POST /collections/{collection}/query.`,
);

export const invalidQuery = defineError('invalid_query', (parameter: string, problem: string) => ({
  message: parameter === '' ? problem : `${parameter.slice(0, 100)}: ${problem}`,
  details: { parameter: parameter.slice(0, 200) },
}));
