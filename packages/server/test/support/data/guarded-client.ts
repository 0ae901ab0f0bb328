import { expect } from 'vitest';
import { failureCode } from '../calls/raw-call.ts';
import { type CallOptions, Client, type Reply } from '../client.ts';
import type { TestApp } from '../test-app.ts';
import { newCollection, newDocument } from './new-collection.ts';
import { Stored } from './stored.ts';

const statuses = [200, 201, 400, 401, 403, 404, 413, 429];

/** What only the inside of the service knows; no corpus of the attacks holds these words. */
const inside =
  /cell\.\w|control\.\w|syntax error|jsonb|SQLSTATE|input syntax|does not exist|unterminated|relation "|\$\d+::|\.ts:\d|node_modules/;

/** Checks what must hold of every answer, whatever was sent. */
export function expectSafe(reply: { status: number; text: string }): void {
  expect(statuses, reply.text).toContain(reply.status);
  if (reply.status >= 400) failureCode(reply);
  expect(reply.text).not.toMatch(inside);
}

/** A client for attacks: every answer is checked for what must hold of all. */
export class GuardedClient extends Client {
  override async call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply> {
    const reply = await super.call(method, path, body, options);
    expectSafe(reply);
    return reply;
  }
}

export interface Neighbours {
  /** Fails if anything of the other projects is not as it was. */
  expectUnchanged(): Promise<void>;
}

/** Puts data into two other projects, one in the same cell and one in another. */
export async function addNeighbours(t: TestApp): Promise<Neighbours> {
  const others = [t.projects[1]];
  while (!others.some(({ cell }) => cell === t.projects[0].cell))
    others.push(await t.createProject('neighbour'));
  for (const { api } of others) {
    const { path } = await newCollection(api);
    await newDocument(api, path, { secret: 'canary-7d1f', list: [1, 2, 3] });
  }
  const dump = () => Promise.all(others.map((other) => allRows(new Stored(t, other))));
  const before = await dump();
  return {
    async expectUnchanged() {
      expect(await dump()).toEqual(before);
    },
  };
}

async function allRows(stored: Stored): Promise<unknown> {
  const tables = [
    'collections',
    'documents',
    'document_counts',
    'idempotency_keys',
    'project_numbers',
    'purges',
  ];
  const dumps: Record<string, unknown> = {};
  for (const table of tables) {
    dumps[table] = await stored.query(
      `SELECT to_jsonb(rows) AS row FROM cell.${table} AS rows WHERE project_id = $1 ORDER BY to_jsonb(rows)`,
    );
  }
  return dumps;
}
