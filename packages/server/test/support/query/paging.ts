import { expect } from 'vitest';
import type { Client, Reply } from '../client.ts';
import type { FlatDocument } from './oracle.ts';

const idsOf = (reply: Reply): string[] => reply.body.data.map(({ id }: FlatDocument) => id);

export async function page(api: Client, collection: string, ...parameters: string[]): Promise<Reply> {
  const reply = await api.get(
    `/collections/${collection}?${parameters.filter((part) => part !== '').join('&')}`,
  );
  expect(reply.status, reply.text).toBe(200);
  return reply;
}

/** Follows the cursors from the first page to the last. */
export async function byCursor(
  api: Client,
  collection: string,
  query: string,
  limit: number,
): Promise<Reply[]> {
  const pages: Reply[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const reply = await page(
      api,
      collection,
      query,
      `limit=${limit}`,
      cursor === '' ? '' : `cursor=${cursor}`,
    );
    pages.push(reply);
    cursor = reply.body.nextCursor as string | null;
    if (pages.length > 1000) throw new Error('The cursors do not come to an end.');
  }
  return pages;
}

export async function byOffset(
  api: Client,
  collection: string,
  query: string,
  limit: number,
): Promise<Reply[]> {
  const pages: Reply[] = [];
  do pages.push(await page(api, collection, query, `limit=${limit}`, `offset=${pages.length * limit}`));
  while (pages.at(-1)!.body.hasMore);
  return pages;
}

/** The pages hold what one large page holds, in its order, and their figures say so. */
export function expectPages(pages: readonly Reply[], whole: Reply, limit: number): void {
  expect(pages.flatMap(idsOf)).toEqual(idsOf(whole));
  for (const [at, { body }] of pages.entries()) {
    const isLast = at === pages.length - 1;
    expect(body).toMatchObject({ total: whole.body.data.length, limit, hasMore: !isLast });
    expect(body.nextCursor === null).toBe(isLast);
    expect(body.data.length === limit || isLast).toBe(true);
  }
}
