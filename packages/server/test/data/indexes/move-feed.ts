import type { Pool } from 'pg';

/** What one transaction sends to the change feed, in order: messages by their prefix, rows by what happened to them. */
export type FedTransaction = readonly { readonly kind: 'message' | 'row'; readonly what: string }[];

/** The change feed of a cell, as a reader of its publication gets it from now on. */
export class Feed implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #slot: string;

  private constructor(pool: Pool, slot: string) {
    this.#pool = pool;
    this.#slot = slot;
  }

  static async open(pool: Pool): Promise<Feed> {
    await pool.query('CREATE PUBLICATION feed FOR TABLE cell.documents, TABLES IN SCHEMA own');
    // Slots are of the whole server: other databases have theirs.
    const { rows } = await pool.query<{ slot: string }>(
      `SELECT slot_name AS slot FROM pg_create_logical_replication_slot('feed_' || current_database(), 'pgoutput')`,
    );
    return new Feed(pool, rows[0]!.slot);
  }

  /** All transactions that were committed since it was last asked. */
  async read(): Promise<FedTransaction[]> {
    const { rows } = await this.#pool.query<{ data: Buffer }>(
      `SELECT data FROM pg_logical_slot_get_binary_changes($1, NULL, NULL,
        'proto_version', '1', 'publication_names', 'feed', 'messages', 'true')`,
      [this.#slot],
    );
    const transactions: { kind: 'message' | 'row'; what: string }[][] = [];
    for (const { data } of rows) {
      const type = String.fromCharCode(data[0]!);
      if (type === 'B') transactions.push([]);
      else if (type === 'M') transactions.at(-1)!.push({ kind: 'message', what: prefixOf(data) });
      else if ('IUDT'.includes(type)) transactions.at(-1)!.push({ kind: 'row', what: type });
    }
    return transactions;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.query('SELECT pg_drop_replication_slot($1)', [this.#slot]);
  }
}

/** Of a logical message: its type, its flags and its place in the log come first. */
function prefixOf(data: Buffer): string {
  const start = 1 + 1 + 8;
  return data.toString('utf8', start, data.indexOf(0, start));
}
