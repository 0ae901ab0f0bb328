-- The refresh token of a session, in hashes. Its first half stays for the life of the session and finds it; the whole is
-- good for one use. What was traded last is known for a while, to tell two tabs from a thief.
ALTER TABLE cell.sessions
  ADD COLUMN refresh_family     bytea,
  ADD COLUMN refresh_hash       bytea,
  ADD COLUMN refresh_spent      bytea,
  -- How often it was traded.
  ADD COLUMN refresh_turn       integer NOT NULL DEFAULT 0,
  ADD COLUMN refreshed_at       timestamptz,
  ADD COLUMN refresh_expires_at timestamptz;
CREATE UNIQUE INDEX sessions_refresh_family ON cell.sessions (project_id, refresh_family) WHERE refresh_family IS NOT NULL;
