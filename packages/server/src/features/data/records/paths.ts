import type { Path } from '@plinth/protocol';

/** The fields of a record that a caller can set, or of an object inside it. */
export type Fields = Record<string, unknown>;

/*
 * Paths go from object to object by names of their own. They enter arrays only to remove, and to look for what is hidden.
 */

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path; undefined where there is none. */
export function valueAtPath(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** Is there a value at the path? Null is one. */
export function hasPath(root: unknown, path: Path): boolean {
  return valueAtPath(root, path) !== undefined;
}

/** Is there a value at the path, also in the objects of an array on the way? */
export function hasPathAnywhere(value: unknown, path: Path): boolean {
  if (Array.isArray(value)) return value.some((element) => hasPathAnywhere(element, path));
  const [key, ...rest] = path;
  if (key === undefined) return value !== undefined;
  return isObject(value) && Object.hasOwn(value, key) && hasPathAnywhere(value[key], rest);
}

/** The way to the first array around a path; undefined where there is none. */
export function arrayAround(root: unknown, path: Path): Path | undefined {
  for (let length = 1; length < path.length; length += 1) {
    const around = path.slice(0, length);
    if (Array.isArray(valueAtPath(root, around))) return around;
  }
  return undefined;
}

/** Does something stand where one of the objects around the path would be? */
export function isBlocked(root: unknown, path: Path): boolean {
  return path.slice(0, -1).some((_, at) => {
    const around = valueAtPath(root, path.slice(0, at + 1));
    return around !== undefined && !isObject(around);
  });
}

/** A copy with another value at the path, and objects around it where there are none. */
export function withPath(fields: Readonly<Fields>, [key = '', ...rest]: Path, value: unknown): Fields {
  if (rest.length === 0) return { ...fields, [key]: value };
  const inner = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return { ...fields, [key]: withPath(isObject(inner) ? inner : {}, rest, value) };
}

/** What is at a path, also in the objects of an array on the way; undefined where there is nothing. */
export function partAt(value: unknown, path: Path): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(value)) {
    const parts = value.map((element) => partAt(element, path));
    return parts.some((part) => part !== undefined) ? parts : undefined;
  }
  return isObject(value) && Object.hasOwn(value, key) ? partAt(value[key], rest) : undefined;
}

/** A copy without what is at a path, nor the objects around it that have nothing else. */
export function withoutPath(value: unknown, path: Path): unknown {
  if (Array.isArray(value)) return value.map((element) => withoutPath(element, path));
  const [key = '', ...rest] = path;
  if (!isObject(value) || !Object.hasOwn(value, key)) return value;
  const { [key]: inner, ...others } = value;
  if (rest.length === 0) return others;
  const left = withoutPath(inner, rest);
  return isObject(left) && Object.keys(left).length === 0 ? others : { ...others, [key]: left };
}

/** Removes what is at a path, also in the objects of an array on the way. */
export function removePath(value: unknown, path: Path): void {
  if (Array.isArray(value)) {
    for (const element of value) removePath(element, path);
    return;
  }
  const [key = '', ...rest] = path;
  if (!isObject(value) || !Object.hasOwn(value, key)) return;
  if (rest.length === 0) delete value[key];
  else removePath(value[key], rest);
}
