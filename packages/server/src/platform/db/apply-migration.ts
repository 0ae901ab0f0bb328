import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { MigrationError } from './errors.ts';
import { isLockTimeout } from './failures.ts';

export interface Migration {
  readonly schema: 'control' | 'cell';
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** Everybody else who wants the table stands behind a migration that waits for it: so it waits only so long. */
const lockTimeoutMs = 2000;
/** In between, calls go on for as long as they were held up, and longer each time. */
const pauseMs = { first: 2000, most: 15_000 };
const giveUpAfterMs = 10 * 60_000;

/** Indexes of tables that are in use are built without a transaction: see CONTRIBUTING.md. */
const outside = /^-- Outside a transaction\b/;

/** Applies a migration, as soon as nobody holds what it needs. */
export async function applyMigration(client: Client, migration: Migration): Promise<void> {
  const startedAt = performance.now();
  let pause = pauseMs.first;
  for (;;) {
    try {
      return await (outside.test(migration.text)
        ? applySteps(client, migration)
        : applyAtOnce(client, migration));
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (performance.now() - startedAt > giveUpAfterMs) throw tooBusy(migration);
    }
    await sleep(pause);
    pause = Math.min(2 * pause, pauseMs.most);
  }
}

/** Whole or not at all. */
async function applyAtOnce(client: Client, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await client.query(migration.text);
    await note(client, migration);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/**
 * One statement after the other. If it breaks off, all are run again by the next attempt. Nobody stands behind a build that
 * waits for others, so it may wait.
 */
async function applySteps(client: Client, migration: Migration): Promise<void> {
  for (const statement of migration.text.split(/;[ \t]*$/m)) {
    if (statement.trim() !== '') await client.query(statement);
  }
  await note(client, migration);
}

async function note(client: Client, { schema, name, checksum }: Migration): Promise<void> {
  await client.query(`INSERT INTO ${schema}.migrations (name, checksum) VALUES ($1, $2)`, [name, checksum]);
}

function tooBusy({ schema, name }: Migration): MigrationError {
  return new MigrationError(
    `Migration ${schema}/${name} waited ${giveUpAfterMs / 60_000} minutes for a table that is locked all the time. Nothing of it was applied. Find out who holds the lock in pg_stat_activity (a transaction that is never ended, or a long report), then run it again.`,
  );
}
