-- The epoch that a collection is in at this very moment, also for a statement that began earlier: volatile, it looks with
-- a snapshot of its own. Null for a collection that is gone.
CREATE FUNCTION cell.epoch_now(project bigint, collection integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN (SELECT epoch FROM cell.collections WHERE project_id = project AND number = collection);
END $$;
