import type { Pool } from 'pg';

/** Counts, in the database itself, how often a code was compared with what somebody typed. */
export async function countTries(pool: Pool): Promise<(account: string) => Promise<number>> {
  await pool.query(`
    CREATE TABLE IF NOT EXISTS public.compared (account text NOT NULL);
    CREATE OR REPLACE FUNCTION public.note_try() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO public.compared VALUES (NEW.account); RETURN NULL; END $$;
    CREATE OR REPLACE TRIGGER note_try AFTER UPDATE ON cell.one_time_codes FOR EACH ROW
      WHEN (NEW.tries_left = OLD.tries_left - 1 AND NEW.expires_at = OLD.expires_at) EXECUTE FUNCTION public.note_try()`);
  return async (account) => {
    const { rows } = await pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM public.compared WHERE account = $1',
      [account],
    );
    return rows[0]!.count;
  };
}
