// @postgres newest
import { expect, test } from 'vitest';

const error = { code: 'document_not_found', message: 'No document has this id.', requestId: 'a-request' };
const answer = { status: 404, body: { success: false, error } };

test('a coded failure is one, with details or without', () => {
  expect(answer).toFailWith(404, 'document_not_found');
  const detailed = { ...answer, body: { success: false, error: { ...error, details: { id: '1' } } } };
  expect(detailed).toFailWith(404, 'document_not_found');
});

test.each([
  ['another status', { ...answer, status: 400 }],
  ['another code', { ...answer, body: { success: false, error: { ...error, code: 'file_not_found' } } }],
  ['no message', { ...answer, body: { success: false, error: { ...error, message: '' } } }],
  ['no request id', { ...answer, body: { success: false, error: { ...error, requestId: undefined } } }],
  ['a success', { ...answer, body: { success: true, error } }],
  ['data beside the error', { ...answer, body: { success: false, error, data: {} } }],
  ['no body', { status: 404, body: undefined }],
])('%s is noticed, and the answer is shown', (_what, other) => {
  expect(other).not.toFailWith(404, 'document_not_found');
  expect(() => expect(other).toFailWith(404, 'document_not_found')).toThrow(`got ${other.status} `);
});
