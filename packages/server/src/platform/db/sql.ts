/** `raw` puts text into a statement as it is: for names that the service made, never for what a caller sent. */
export { default as sql, join, raw, Sql } from 'sql-template-tag';
