/** `raw` puts text into a statement as it is: for names that the service made, never for what a caller sent. */
export { default as sql, join, raw, Sql } from 'sql-template-tag';

/** An array of ids or numbers as PostgreSQL reads it. The driver would look into each of them for what needs quotes. */
export function plainArray(items: readonly (string | number)[]): string {
  return `{${items.join(',')}}`;
}

/** An array of texts as PostgreSQL reads it. */
export function textArray(items: readonly (string | null)[]): string {
  return `{${items.map(quoted).join(',')}}`;
}

function quoted(item: string | null): string {
  if (item === null) return 'NULL';
  return needsEscape.test(item) ? `"${item.replaceAll(/["\\]/g, '\\$&')}"` : `"${item}"`;
}

const needsEscape = /["\\]/;
