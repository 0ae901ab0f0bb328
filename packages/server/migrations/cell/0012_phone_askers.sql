-- From where codes were asked for to sign in by phone, and which of these networks are known to be the owner's. Marks
-- stand for numbers and networks; a number counts whether or not it is a user's, so that the answer does not tell.
CREATE TABLE cell.phone_askers (
  project_id  bigint      NOT NULL,
  phone_mark  bytea       NOT NULL,
  asker_mark  bytea       NOT NULL,
  -- Codes that were asked for since then, and not used.
  unused      integer     NOT NULL,
  since       timestamptz NOT NULL DEFAULT now(),
  known_until timestamptz,
  PRIMARY KEY (project_id, phone_mark, asker_mark)
);
