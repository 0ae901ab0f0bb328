-- The top-level names that documents of a collection were seen to have, so that a list which is empty because of a name
-- that no document ever had can say so. The name '' stands for names that are not known.
CREATE TABLE cell.field_names (
  project_id bigint  NOT NULL,
  collection integer NOT NULL,
  name       text    NOT NULL,
  PRIMARY KEY (project_id, collection, name)
);

-- Nobody has looked at what these collections have.
INSERT INTO cell.field_names (project_id, collection, name) SELECT project_id, number, '' FROM cell.collections;
