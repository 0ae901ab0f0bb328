-- That a user has changed is all that anybody is told. What it holds, up to a megabyte before and after, need not go through
-- the log's readers.
ALTER PUBLICATION plinth_changes DROP TABLE cell.app_users;
ALTER TABLE cell.app_users REPLICA IDENTITY DEFAULT;
ALTER PUBLICATION plinth_changes ADD TABLE cell.app_users (project_id, id);
