import type { Pool } from 'pg';
import { expect } from 'vitest';

/** Whoever makes `pg_sleep(5)` a part of a statement gets an error, and not only a slow answer. */
export async function trapSleep(pool: Pool): Promise<void> {
  await pool.query(`CREATE FUNCTION public.pg_sleep(integer) RETURNS text LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'A text was run.'; END $$`);
  await expect(pool.query('SELECT pg_sleep(5)')).rejects.toThrow('A text was run.');
}
