type Fields = Readonly<Record<string, unknown>>;

const isFile = (value: unknown): value is Blob => typeof Blob === 'function' && value instanceof Blob;

/** Is there a file among the fields, or in a list? */
export function hasFiles(body: unknown): body is Fields {
  if (typeof body !== 'object' || body === null) return false;
  return Object.values(body).some((value) => isFile(value) || (Array.isArray(value) && value.some(isFile)));
}

/** Fields with files, as a form: `data` has the JSON, and each file is a part named by its field. */
export function toForm(body: Fields): FormData {
  const form = new FormData();
  const fields: Record<string, unknown> = {};
  const files: [string, Blob][] = [];
  for (const [name, value] of Object.entries(body)) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    const found = values.filter(isFile);
    if (found.length === 0) fields[name] = value;
    else if (found.length < values.length)
      throw new TypeError(`"${name}" mixes files with other values: upload the files first.`);
    for (const file of found) files.push([name, file]);
  }
  // The JSON goes first: the server reads the form as it arrives.
  form.append('data', JSON.stringify(fields));
  for (const [name, file] of files) form.append(name, file);
  return form;
}
