import type { Events } from '../../calls/index.ts';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import type { Sql } from '../../platform/db/sql.ts';
import { insertingDeliveries, type NewEvent } from './delivery-store.ts';

interface Ways {
  readonly add: (db: ProjectDb) => Promise<void>;
  readonly hint: () => void;
}

/** Events of one call that are yet to be written down, in whatever way suits their cause. */
export class NewEvents implements Events {
  readonly bytes: number;
  readonly #events: readonly NewEvent[];
  readonly #ways: Ways;

  constructor(events: readonly NewEvent[], ways: Ways) {
    this.#events = events;
    this.#ways = ways;
    this.bytes = events.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0);
  }

  write(db: ProjectDb): Promise<void> {
    return this.#ways.add(db);
  }

  insertAll(all: readonly NewEvents[], done: Sql): Sql {
    return insertingDeliveries(
      all.map((own) => own.#events),
      done,
    );
  }

  committed(): void {
    this.#ways.hint();
  }
}
