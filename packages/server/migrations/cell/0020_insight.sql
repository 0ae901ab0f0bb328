-- What was said of a failure, without what may be a secret.
ALTER TABLE cell.requests ADD COLUMN message text;
