import type { AppError } from '../../../platform/errors.ts';
import { type Collection, formatIndexField } from '../collections/index.ts';
import { queryTooSlow } from './errors.ts';
import type { Shape } from './shape.ts';
import { helpersOf, suggest } from './suggest.ts';

/**
 * The error for a query that ran past its time budget. The shape must be that of the caller's own query, without the
 * rule that was joined to it: the fields it names are shown to the caller.
 */
export function tooSlow({ name, indexes }: Pick<Collection, 'name' | 'indexes'>, shape: Shape): AppError {
  const building = helpersOf(shape, indexes).find(({ state }) => state === 'building');
  if (building) {
    const { kind, fields } = building;
    return queryTooSlow(name, { kind, fields: fields.map(formatIndexField), isBuilding: true });
  }
  const [wanted] = suggest(shape, { indexes });
  return queryTooSlow(name, wanted && { kind: wanted.kind, fields: wanted.fields, isBuilding: false });
}
