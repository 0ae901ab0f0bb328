-- Keys are added at the end and removed by their age: a rough index is enough, and costs a write next to nothing.
DROP INDEX cell.idempotency_keys_created_at;
CREATE INDEX idempotency_keys_created_at ON cell.idempotency_keys USING brin (created_at)
  WITH (pages_per_range = 32, autosummarize = on);
