-- A rule that goes through a link cannot be followed live. Subscriptions must hear of a new link before they hear of the
-- document that has it.
ALTER PUBLICATION plinth_changes ADD TABLE cell.links (project_id, collection, field, target);
