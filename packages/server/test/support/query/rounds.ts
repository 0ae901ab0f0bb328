import { expect } from 'vitest';
import type { Client } from '../client.ts';
import { type Body, bodiesOf, written } from './arbitrary-documents.ts';
import type { FlatDocument } from './oracle.ts';

/** A collection and the documents that are in it, in the order of their creation. */
export interface Round {
  readonly collection: string;
  readonly documents: readonly FlatDocument[];
}

/** The seed of this run. Set PLINTH_SEED to the printed number to repeat a run. */
export const seed = Number(process.env.PLINTH_SEED ?? Math.floor(Math.random() * 2 ** 31));
console.log(`PLINTH_SEED=${seed}`);

/** How much a run checks: 3,000 queries. */
export const runSize = { rounds: 50, documentsEach: 60, queriesEach: 60 };

/**
 * A collection of random documents. They come in three batches, then every third is touched: so times of creation are
 * shared by many, and times of change by others.
 */
export async function loadRound(api: Client, round: number, count: number): Promise<Round> {
  const loaded = await loadDocuments(api, `round-${round}`, bodiesOf(seed + round, count), 3);
  const updates = loaded.documents.filter((_, at) => at % 3 === 1).map(({ id }) => ({ id }));
  const touched = await succeed(api.post(`/collections/${loaded.collection}/batch-update`, { updates }));
  const later = new Map((touched as FlatDocument[]).map((document) => [document.id, document]));
  return { ...loaded, documents: loaded.documents.map((document) => later.get(document.id) ?? document) };
}

/** A new collection with these documents. */
export async function loadDocuments(
  api: Client,
  collection: string,
  bodies: readonly Body[],
  batches = 1,
): Promise<Round> {
  await succeed(api.post('/collections', { name: collection }));
  const documents: FlatDocument[] = [];
  const size = Math.ceil(bodies.length / batches);
  for (let from = 0; from < bodies.length; from += size) {
    const raw = `{"documents":${written(bodies.slice(from, from + size))}}`;
    const created = await succeed(api.post(`/collections/${collection}/batch`, undefined, { raw }));
    documents.push(...(created as FlatDocument[]));
  }
  expect(documents.map(callersFields), 'what is stored is what was sent').toEqual(
    bodies.map((body) => callersFields(JSON.parse(JSON.stringify(body)))),
  );
  return { collection, documents };
}

const ownedByService = new Set(['id', 'createdAt', 'updatedAt']);

export function callersFields(document: Body): Body {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !ownedByService.has(name)));
}

async function succeed(call: ReturnType<Client['post']>): Promise<unknown> {
  const { status, body, text } = await call;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body.data;
}
