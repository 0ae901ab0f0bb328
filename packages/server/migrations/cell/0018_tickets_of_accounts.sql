-- Whose ticket it is, if an account made it: its connection ends when the account no longer works on the project.
ALTER TABLE cell.realtime_tickets ADD COLUMN account_id uuid;
