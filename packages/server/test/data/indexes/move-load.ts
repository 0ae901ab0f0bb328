import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { insertBase, type Located, placeInBase, planBase } from './move-base.ts';
import { Calls } from './move-calls.ts';
import { Ledger } from './move-ledger.ts';
import { read } from './move-reader.ts';
import type { World } from './move-world.ts';
import { Writer } from './move-writer.ts';

/** A collection that is filled, and a ledger of what is in it. */
export async function makeWorld(
  pool: Pool,
  collection: Located & { readonly name: string },
  options: { documents: number; writers: number; nodes: readonly string[]; apiKey: string; pauseMs: number },
): Promise<World> {
  const base = planBase(collection, options.documents, options.writers);
  await insertBase(pool, collection, base);
  return {
    ledger: new Ledger(base),
    calls: new Calls(options.nodes, options.apiKey),
    path: `/collections/${collection.name}`,
    pauseMs: options.pauseMs,
    movedTo: 0,
    refused: 0,
  };
}

export interface Load {
  /** Ends when every call that was sent is answered. */
  stop(): Promise<void>;
}

/** Has clients write and read until they are stopped, close to where the move is. */
export function startLoad(world: World, pool: Pool, of: Located & { readers: number }): Load {
  const stopping = new AbortController();
  const { signal } = stopping;
  const repeat = async (work: () => Promise<void>, pauseMs: () => number) => {
    while (!signal.aborted) {
      await work();
      await sleep(pauseMs(), undefined, { signal }).catch(() => {});
    }
  };
  const pause = () => Math.random() * world.pauseMs;
  const writers = Array.from({ length: world.ledger.base.writers }, (_, number) => new Writer(world, number));
  const clients = [
    ...writers.map((writer) => repeat(() => writer.write(), pause)),
    ...Array.from({ length: of.readers }, () => repeat(() => read(world), pause)),
    repeat(
      () => follow(world, pool, of),
      () => 50,
    ),
  ];
  return {
    async stop() {
      stopping.abort();
      await Promise.all(clients);
    },
  };
}

/** Looks how far the move is. */
async function follow(world: World, pool: Pool, { projectId, number }: Located): Promise<void> {
  const { base } = world.ledger;
  const table = `own.documents_${projectId}_${number}`;
  const { rows: made } = await pool.query('SELECT FROM pg_class WHERE oid = to_regclass($1)', [table]);
  if (made.length === 0) return;
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM ${table} WHERE id < $1 ORDER BY id DESC LIMIT 1`,
    [afterBase(world)],
  );
  const place = rows[0] && placeInBase(base, rows[0].id);
  if (place !== undefined) world.movedTo = place;
}

function afterBase({ ledger: { base } }: World): string {
  const time = (base.startMs + base.count).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
