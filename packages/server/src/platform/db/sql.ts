export { default as sql, join, type Sql } from 'sql-template-tag';
