import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { getProject } from '../../../src/features/control/projects/index.ts';
import {
  Deliveries,
  type Delivery,
  type DeliveryHandler,
  type Outcome,
  ReadBytes,
  Subscribers,
} from '../../../src/features/deliveries/index.ts';
import { parseCells } from '../../../src/platform/config/config.ts';
import { DatabaseServer } from '../../../src/platform/db/database-server.ts';
import type { ProjectDb } from '../../../src/platform/db/project-db.ts';
import { newRequestId } from '../../../src/platform/ids.ts';
import { InvalidationListener } from '../../../src/platform/invalidation/invalidation-listener.ts';
import type { TestApp } from '../test-app.ts';

const log = pino({ level: 'fatal' });

/** Quick, and without a log: what a test does not say otherwise. */
const quick: Omit<DeliveryHandler, 'deliver'> = {
  retriesS: [0.1, 0.1],
  perLane: 10,
  timeoutMs: 5000,
  keepsLog: false,
};

export interface Lanes extends AsyncDisposable {
  readonly deliveries: Deliveries;
  readonly disabled: string[];
}

/** A dispatcher of its own, for subscribers of a kind that no node knows. */
export async function openLanes(
  t: TestApp,
  kind: string,
  deliver: (delivery: Delivery, signal: AbortSignal) => Promise<Outcome>,
  how: Partial<DeliveryHandler> & { concurrency?: number; read?: ReadBytes } = {},
): Promise<Lanes> {
  const { concurrency = 20, read = new ReadBytes(), ...changed } = how;
  const listeners = new Map(
    Array.from(parseCells(t.config), ([cell, url]) => [
      cell,
      new InvalidationListener(new DatabaseServer(url), log),
    ]),
  );
  await Promise.all(Array.from(listeners.values(), (listener) => listener.start()));
  const subscribers = new Subscribers({ cells: t.cells, listeners, readFilter: async () => () => true });
  const disabled: string[] = [];
  const deliveries = new Deliveries({
    cells: t.cells,
    subscribers,
    concurrency,
    read,
    log,
    onDisabled: async (_project, { name }, { reason }) => {
      disabled.push(`${name} ${reason}`);
    },
  });
  deliveries.handle(kind, { ...quick, ...changed, deliver });
  deliveries.start();
  return {
    deliveries,
    disabled,
    async [Symbol.asyncDispose]() {
      await deliveries.stop();
      await Promise.all(Array.from(listeners.values(), (listener) => listener.close()));
    },
  };
}

/** A lane of a project, of that kind. */
export interface TestLane {
  readonly db: ProjectDb;
  readonly project: { readonly id: string; readonly cell: number };
  readonly lane: number;
}

export async function newLane(t: TestApp, ref: string, kind: string, isOrdered = false): Promise<TestLane> {
  const { id, cell } = await getProject(t.control, ref);
  const db = t.cells.forProject({ id, cell });
  const { rows } = await t.cells.pool(cell).query<{ lane: number }>(
    `INSERT INTO cell.subscribers (project_id, kind, name, events, is_ordered)
     VALUES ($1, $2, $3, '{"*.*"}', $4) RETURNING lane`,
    [id, kind, randomUUID(), isOrdered],
  );
  return { db, project: { id, cell }, lane: rows[0]!.lane };
}

/** Writes so many deliveries, numbered in their payloads. */
export async function addMany(
  { deliveries }: Pick<Lanes, 'deliveries'>,
  { db, project, lane }: TestLane,
  count: number,
  first = 0,
): Promise<string[]> {
  const events = Array.from({ length: count }, (_, at) => ({
    id: newRequestId(),
    event: 'post_create',
    payload: JSON.stringify({ number: first + at }),
    depth: 0,
    lanes: [lane],
  }));
  await db.transaction((db) => deliveries.add(db, project, events));
  return events.map(({ id }) => id);
}

export const numberOf = ({ payload }: Delivery): number => JSON.parse(payload).number;

export const done = async (): Promise<Outcome> => ({ kind: 'done' });
