import { compareValues } from '@plinth/protocol';
import fc from 'fast-check';
import { matches, readQuery, valueAt } from '../../../src/features/data/query/index.ts';
import { AppError } from '../../../src/platform/errors.ts';
import type { Client } from '../../support/client.ts';
import { plainScope } from '../../support/plain-scope.ts';
import { queriesFor } from '../../support/query/arbitrary-queries.ts';
import { askOracle, type FlatDocument, type Reply } from '../../support/query/oracle.ts';
import { callersFields, type Round } from '../../support/query/rounds.ts';

/** Someone who says what a query gives. */
export type Reader = (round: Round, queryString: string) => Reply | Promise<Reply>;

export type Readers = Readonly<Record<'sql' | 'matcher' | 'oracle', Reader>>;

/** PostgreSQL, asked as every caller asks: over HTTP. */
export const sqlReader =
  (api: Client): Reader =>
  async ({ collection }, queryString) => {
    const { status, body, text } = await api.get(`/collections/${collection}?${queryString}`);
    if (status === 400 && body.error.code === 'invalid_query') return 'refused';
    if (status !== 200) throw new Error(`GET ?${queryString} answers ${status} ${text}`);
    return body.data.map(({ id }: FlatDocument) => id);
  };

export const oracleReader: Reader = ({ documents }, queryString) => askOracle(documents, queryString);

export interface MatcherParts {
  readonly matches: typeof matches;
  readonly compareValues: typeof compareValues;
  readonly readQuery: typeof readQuery;
}

/** The matcher in memory. Its parts can be replaced, to see whether the check would notice. */
export const matcherReader = (replaced: Partial<MatcherParts> = {}): Reader => {
  const parts = { matches, compareValues, readQuery, ...replaced };
  return async ({ documents }, queryString) => {
    let query: Awaited<ReturnType<typeof readQuery>>;
    try {
      query = await parts.readQuery(queryString, plainScope);
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid_query') return 'refused';
      throw error;
    }
    const found = documents.map(asMatched).filter((document) => parts.matches(query.filter, document));
    found.sort((a, b) => {
      for (const { target, descending } of query.sort) {
        const difference = parts.compareValues(valueAt(target, a), valueAt(target, b));
        if (difference !== 0) return descending ? -difference : difference;
      }
      return 0;
    });
    return found.slice(query.offset, query.offset + query.limit).map(({ id }) => id);
  };
};

function asMatched(document: FlatDocument) {
  const createdAt = Date.parse(document.createdAt);
  const updatedAt = Date.parse(document.updatedAt);
  return { id: document.id, createdAt, updatedAt, data: callersFields(document) };
}

/** The readers do not agree. The message is enough to make a case of the corpus from. */
export class Disagreement extends Error {
  readonly #replies: Readonly<Record<string, Reply>>;

  constructor(round: Round, queryString: string, replies: Record<string, Reply>) {
    const lists = Object.values(replies).map((reply) => (reply === 'refused' ? [] : reply));
    const concerned = round.documents.filter(
      ({ id }) => new Set(lists.map((list) => list.indexOf(id))).size > 1,
    );
    const places = new Map(round.documents.map(({ id }, at) => [id, at]));
    const shown = Object.entries(replies).map(
      ([reader, reply]) =>
        `${reader}: ${reply === 'refused' ? reply : reply.map((id) => places.get(id)).join(' ')}`,
    );
    const documents = concerned
      .slice(0, 4)
      .map((document) => `${places.get(document.id)}: ${JSON.stringify(document)}`);
    super([decodeSafely(queryString), queryString, ...shown, ...documents].join('\n'));
    this.#replies = replies;
  }

  /** Who stands alone against all the others. */
  get oddOneOut(): string | undefined {
    const texts = Object.entries(this.#replies).map(([reader, reply]) => [reader, String(reply)] as const);
    return texts.find(
      ([, text]) =>
        texts.filter(([, other]) => other === text).length === 1 &&
        new Set(texts.map(([, other]) => other)).size === 2,
    )?.[0];
  }
}

function decodeSafely(queryString: string): string {
  try {
    return decodeURIComponent(queryString);
  } catch {
    return queryString;
  }
}

/** One case: everybody gives the same documents in the same order, or refuses. */
export async function checkCase(round: Round, queryString: string, readers: Readers): Promise<Reply> {
  const replies: Record<string, Reply> = {};
  for (const [name, read] of Object.entries(readers)) replies[name] = await read(round, queryString);
  if (new Set(Object.values(replies).map(String)).size > 1)
    throw new Disagreement(round, queryString, replies);
  return replies.oracle!;
}

/** Without a limit of its own, a query is asked for all the documents of a round. */
const wholePage = (queryString: string) =>
  /(^|&)limit=/.test(queryString) ? queryString : `${queryString}&limit=100`;

/** The property: random queries about the documents of a round have one meaning. */
export function oneMeaning(
  round: Round,
  readers: Readers,
  seen?: (queryString: string, reply: Reply) => void,
) {
  return fc.asyncProperty(queriesFor(round.documents).map(wholePage), async (queryString) => {
    const reply = await checkCase(round, queryString, readers);
    seen?.(queryString, reply);
  });
}
