import { formatPath, parsePath } from '@plinth/protocol';
import type { IndexField } from './collection.ts';

/** `-views` is the field `views`, descending. */
export function readIndexField(text: string): IndexField {
  const isDescending = text.startsWith('-');
  return { path: parsePath('fields', isDescending ? text.slice(1) : text), isDescending };
}

export function formatIndexField({ path, isDescending }: IndexField): string {
  return `${isDescending ? '-' : ''}${formatPath(path)}`;
}
