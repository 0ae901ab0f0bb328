import { fieldOf } from './columns.ts';

/** What is sent so that a field has this value; undefined takes it away. */
export function changeOf(path: readonly string[], value: unknown): Record<string, unknown> {
  const [name = ''] = path;
  if (path.length === 1 && !name.startsWith('$') && value !== undefined) return { [name]: value };
  return value === undefined ? { $unset: [fieldOf(path)] } : { $set: { [fieldOf(path)]: value } };
}
