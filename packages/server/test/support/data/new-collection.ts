import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Client } from '../client.ts';

export interface NewCollection {
  readonly id: string;
  readonly name: string;
  /** `/collections/{name}` */
  readonly path: string;
}

/** A fresh, empty collection of the caller's project. */
export async function newCollection(api: Client): Promise<NewCollection> {
  const name = `c${randomBytes(6).toString('hex')}`;
  const { status, body } = await api.post('/collections', { name });
  expect(status).toBe(201);
  return { id: body.data.id, name, path: `/collections/${name}` };
}

/** Creates a document and gives back what the service answered as `data`. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function newDocument(api: Client, path: string, fields: object): Promise<any> {
  const { status, body } = await api.post(path, fields);
  expect(status).toBe(201);
  return body.data;
}
