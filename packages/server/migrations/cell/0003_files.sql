-- Files: records of what the blob store holds. The bytes of a file lie under <project_id>/<id>/ there.

CREATE TABLE cell.files (
  project_id  bigint      NOT NULL,
  id          uuid        NOT NULL,
  -- 128 random bits: knowing them is the right to read a public file.
  url_key     text        NOT NULL,
  name        text        NOT NULL,
  -- The folder: empty, or segments that each end in a slash. Metadata only, never a path on a disk.
  path        text        NOT NULL,
  extension   text        NOT NULL,
  size        bigint      NOT NULL,
  width       integer,
  height      integer,
  is_private  boolean     NOT NULL DEFAULT false,
  -- The app user who sent it; null: the project's server.
  uploaded_by uuid,
  -- The document or app user that the file was sent with, and goes with.
  held_by     uuid,
  -- Sizes and formats of the image that are kept beside it.
  variants    smallint    NOT NULL DEFAULT 0,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, id),
  UNIQUE (project_id, url_key)
);
CREATE INDEX files_by_path ON cell.files (project_id, path, created_at DESC, id);
CREATE INDEX files_by_uploader ON cell.files (project_id, uploaded_by, path, created_at DESC, id)
  WHERE uploaded_by IS NOT NULL;
CREATE INDEX files_by_holder ON cell.files (project_id, held_by) WHERE held_by IS NOT NULL;

-- How much a project stores. One row, so that the quota holds exactly whoever uploads at the same time.
CREATE TABLE cell.storage_usage (
  project_id bigint PRIMARY KEY,
  files      bigint NOT NULL DEFAULT 0,
  bytes      bigint NOT NULL DEFAULT 0,
  -- Promised to uploads that are under way.
  reserved   bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE cell.storage_by_type (
  project_id bigint NOT NULL,
  extension  text   NOT NULL,
  files      bigint NOT NULL,
  bytes      bigint NOT NULL,
  PRIMARY KEY (project_id, extension)
) WITH (fillfactor = 50);

-- Bytes without a record: of uploads under way, until their file is recorded, and of files that are gone. Written
-- before the first byte is, so that nothing in the blob store is ever unknown here.
CREATE TABLE cell.loose_blobs (
  -- What lies under this prefix of the blob store: <project_id>/<file id>, or <project_id> for all of a project.
  tree         text        PRIMARY KEY,
  project_id   bigint      NOT NULL,
  remove_after timestamptz NOT NULL,
  -- Nothing can be recorded any more: the bytes are being removed.
  is_doomed    boolean     NOT NULL DEFAULT false
);
CREATE INDEX loose_blobs_by_time ON cell.loose_blobs (remove_after);

-- Uploads in several calls: resumable ones, and those sent straight to the blob store. They have a row in loose_blobs
-- as well, and go with it.
CREATE TABLE cell.uploads (
  project_id  bigint      NOT NULL,
  id          uuid        NOT NULL,
  kind        text        NOT NULL CHECK (kind IN ('resumable', 'direct')),
  name        text        NOT NULL,
  path        text        NOT NULL,
  is_private  boolean     NOT NULL,
  uploaded_by uuid,
  size        bigint      NOT NULL,
  -- What the blob store needs to go on, with the number of bytes it has.
  progress    jsonb       NOT NULL DEFAULT '{"size": 0}',
  -- Which call may add bytes just now, and until when nobody else may.
  lease       uuid,
  lease_until timestamptz,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, id)
);

CREATE INDEX uploads_by_uploader ON cell.uploads (project_id, uploaded_by) WHERE uploaded_by IS NOT NULL;

-- So that changing and deleting a document without files need not look for them.
ALTER TABLE cell.documents ADD COLUMN holds_files boolean NOT NULL DEFAULT false;
