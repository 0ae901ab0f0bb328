import type { Pool } from 'pg';

/** Everything that is stored in the databases, as text; bytes are in hexadecimal. */
export async function dump(pools: readonly Pool[]): Promise<string> {
  const texts: string[] = [];
  for (const pool of pools) {
    const { rows: tables } = await pool.query<{ name: string }>(`
      SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`);
    for (const { name } of tables) {
      const { rows } = await pool.query<{ row: string }>(`SELECT kept::text AS row FROM ${name} AS kept`);
      texts.push(...rows.map(({ row }) => `${name} ${row}`));
    }
  }
  return texts.join('\n');
}

/** The forms in which a secret could lie around in a text. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms = [
    secret,
    bytes.toString('hex'),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
  // Inside a longer text, base64 depends on where the secret begins: three forms, without what its neighbours decide.
  for (const lead of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(lead), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const own = encoded.slice(lead === 0 ? 0 : 4, -2);
    forms.push(own, own.replaceAll('+', '-').replaceAll('/', '_'));
  }
  // A token is random bytes in letters: the bytes would do as well.
  if (/^[\w-]{43}$/.test(secret)) forms.push(Buffer.from(secret, 'base64url').toString('hex'));
  return [...new Set(forms)].filter((form) => form.length >= 6);
}

/** The names of the secrets that a text holds, in whatever form. */
export function secretsIn(text: string, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets)
    .filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)))
    .map(([name]) => name);
}
