import { Client, type QueryResultRow } from 'pg';

/** Sends one statement over a connection of its own: an answer says that the server can be reached now. */
export async function askOnce<Row extends QueryResultRow>(
  connectionString: string,
  withinMs: number,
  statement: { readonly text: string; readonly values?: unknown[] },
): Promise<Row[]> {
  const client = new Client({
    connectionString,
    application_name: 'plinth',
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
  });
  // `connect` and `query` throw it.
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(statement)).rows;
  } finally {
    client.end().catch(() => {});
  }
}
