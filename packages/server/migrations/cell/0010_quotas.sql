-- What a node may use of a project's quota without asking again.
CREATE TABLE cell.quota_leases (
  project_id bigint      NOT NULL,
  quota      text        NOT NULL,
  node       uuid        NOT NULL,
  amount     bigint      NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, quota, node)
);
CREATE INDEX quota_leases_expires_at ON cell.quota_leases (expires_at);

-- How many bytes a document counts: its JSON, rounded up to a multiple of 256, so that most changes need no recount.
-- Documents of before count when they are next written.
ALTER TABLE cell.documents ADD COLUMN bytes integer NOT NULL DEFAULT 0;
DO $$
DECLARE
  own_table regclass;
BEGIN
  FOR own_table IN SELECT oid FROM pg_class WHERE relnamespace = 'own'::regnamespace AND relkind = 'r' LOOP
    EXECUTE format('ALTER TABLE %s ADD COLUMN bytes integer NOT NULL DEFAULT 0', own_table);
  END LOOP;
END $$;

-- Beside the number of documents, their bytes.
ALTER TABLE cell.document_counts ADD COLUMN bytes bigint NOT NULL DEFAULT 0;

-- Text messages are counted as mails are, and both for a day.
ALTER TABLE cell.mail_counts RENAME TO message_counts;
ALTER TABLE cell.message_counts RENAME COLUMN mails TO messages;
ALTER TABLE cell.message_counts ADD COLUMN kind text NOT NULL DEFAULT 'mail' CHECK (kind IN ('mail', 'text'));

-- Resized images of a file, kept beside it.
ALTER TABLE cell.files ADD COLUMN variant_bytes bigint NOT NULL DEFAULT 0;
