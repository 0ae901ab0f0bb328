/** The field names that a relation may be stored under, in the order they are tried: author, author_id, author_ids. */
export function fieldsOfRelation(name: string): string[] {
  const singulars = singularsOf(name).map((singular) => `${singular}_ids`);
  return [...new Set([name, `${name}_id`, `${name}_ids`, ...singulars])];
}

function singularsOf(name: string): string[] {
  if (!/[^s]s$/i.test(name)) return [];
  const singulars = [name.slice(0, -1)];
  if (/ies$/i.test(name)) singulars.unshift(`${name.slice(0, -3)}y`);
  if (/(?:s|x|z|ch|sh)es$/i.test(name)) singulars.unshift(name.slice(0, -2));
  return singulars;
}
