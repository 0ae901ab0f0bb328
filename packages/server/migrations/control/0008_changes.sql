-- What of control was changed lately, so that a node that heard nothing for a while forgets that and not everything.
CREATE TABLE control.changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Orders changes as commits do, unlike the id: a snapshot says which transactions had not ended.
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  topic text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX changes_of_transaction ON control.changes (transaction);
CREATE INDEX changes_at ON control.changes (at);

-- Tells every node that what it may have cached under a topic is old, at the commit.
CREATE FUNCTION control.tell(topic text) RETURNS void LANGUAGE sql VOLATILE AS $$
  INSERT INTO control.changes (topic) VALUES ($1);
  SELECT pg_notify('plinth', $1);
$$;
