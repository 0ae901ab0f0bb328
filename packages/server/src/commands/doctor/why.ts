import { errorCode } from '../../platform/error-code.ts';

/** What an error says, in one line. Where a name has several addresses, Node.js says nothing by itself. */
export function why(error: unknown): string {
  if (error instanceof AggregateError && error.message === '' && error.errors.length > 0)
    return why(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const text = error.message === '' ? (errorCode(error) ?? error.name) : error.message;
  const cause = error.message === 'fetch failed' && error.cause ? `: ${why(error.cause)}` : '';
  return `${text.split('\n', 1)[0]}${cause}`.replace(/\.$/, '');
}
