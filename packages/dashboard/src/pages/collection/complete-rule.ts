import type { CollectionShape } from '@plinth/protocol';
import type { Suggestion } from '../../kit/suggest-input.tsx';
import { texts } from '../../texts.ts';
import { pathOf } from '../data/columns.ts';
import { completeFilter } from '../data/complete-filter.ts';
import { fieldsOf, references } from './rule-text.ts';

const onTheLeft = references.filter((reference) => reference !== '@now');

/** What could come next in the conditions of a rule: as in a filter, and what is known of the caller. */
export function completeRule(
  text: string,
  caret: number,
  shape: CollectionShape | undefined,
): readonly Suggestion[] {
  const numbers = new Set(
    shape?.fields.filter(({ types }) => (types.number ?? 0) > 0.5).map(({ path }) => path),
  );
  const columns = [...fieldsOf(shape), ...onTheLeft].map((field) => ({
    field,
    path: pathOf(field),
    width: 0,
    isNumeric: numbers.has(field),
  }));
  const rows = (shape?.fields ?? []).flatMap(({ path, values, examples }) =>
    (values ?? examples).map((value) => ({ id: '', [path.replaceAll('[]', '')]: value })),
  );
  const start = text.lastIndexOf('&', caret - 1) + 1;
  const [name, typed] = text.slice(start, caret).split('=', 2);
  const known = completeFilter(text, caret, { columns, rows });
  if (name === undefined || typed === undefined) return known;
  const end = text.indexOf('&', caret);
  const ofCaller = references
    .filter((reference) => reference.startsWith(typed) && reference !== typed)
    .map((reference) => ({
      text: `${text.slice(0, start)}${name}=${reference}${end === -1 ? '' : text.slice(end)}`,
      label: `${name.replace(/^\[or[^\]]*\]/, '')}=${reference}`,
      hint: texts.rules.referenceHints[reference],
    }));
  return [...ofCaller, ...known];
}
