import { invalidQuery } from '../../../calls/index.ts';
import type { RequestFilter } from '../../control/index.ts';

/** What calls are looked for by, in the list and as they come. */
export const filterNames: readonly string[] = [
  'status__gte',
  'status__lte',
  'ms__gte',
  'route',
  'credential',
  'credential__ne',
  'user',
  'code',
];

export function readFilter(given: URLSearchParams): RequestFilter {
  const [statusFrom, statusTo] = [readNumber(given, 'status__gte'), readNumber(given, 'status__lte')];
  const msFrom = readNumber(given, 'ms__gte');
  const [credential, notCredential] = ['credential', 'credential__ne'].map((name) =>
    readCredential(given, name),
  );
  const [route, userId, code] = ['route', 'user', 'code'].map((name) => given.get(name));
  return {
    ...(statusFrom !== undefined && { statusFrom }),
    ...(statusTo !== undefined && { statusTo }),
    ...(msFrom !== undefined && { msFrom }),
    ...(credential && { credential }),
    ...(notCredential && { notCredential }),
    ...(typeof route === 'string' && { route }),
    ...(typeof userId === 'string' && { userId }),
    ...(typeof code === 'string' && { code }),
  };
}

type Credential = NonNullable<RequestFilter['credential']>;
const credentials: readonly Credential[] = ['none', 'user', 'apiKey', 'account'];

function readCredential(given: URLSearchParams, name: string): Credential | undefined {
  const text = given.get(name);
  const credential = credentials.find((one) => one === text);
  if (text !== null && !credential) throw invalidQuery(name, 'It must be none, user, apiKey or account.');
  return credential;
}

/** Statuses, lengths of pages, milliseconds of up to a day or so. */
export function readNumber(given: URLSearchParams, name: string): number | undefined {
  const text = given.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,8}$/.test(text)) throw invalidQuery(name, 'It must be an integer.');
  return Number(text);
}
