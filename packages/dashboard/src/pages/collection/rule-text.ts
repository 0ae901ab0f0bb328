import {
  type CollectionShape,
  type Condition,
  type Filter,
  formatPath,
  parseConditions,
  QueryError,
  splitList,
} from '@plinth/protocol';
import { texts } from '../../texts.ts';

const { rules: words } = texts;

/** How a rule is given: by one of four words, or by conditions. */
export type RuleKind = keyof typeof words.kinds;

/** What a rule can know of its caller, and the moment. */
export const references = [
  '@user.id',
  '@user.role',
  '@user.email',
  '@user.email_verified',
  '@user.claims.',
  '@user.data.',
  '@now',
] as const;

export function kindOf(rule: string): RuleKind {
  return rule !== 'conditions' && Object.hasOwn(words.kinds, rule) ? (rule as RuleKind) : 'conditions';
}

/** What the conditions of a rule say; undefined where they are none, or not understood. */
export function filterOf(rule: string): Filter | undefined {
  if (kindOf(rule) !== 'conditions') return undefined;
  try {
    return parseConditions(rule);
  } catch {
    return undefined;
  }
}

export function conditionsOf(filter: Filter): Condition[] {
  return filter.kind === 'condition' ? [filter] : filter.of.flatMap(conditionsOf);
}

export const isAboutCaller = ({ path }: Condition): boolean => path[0]?.startsWith('@') ?? false;

/** The values on the right: a list for `in` and `notin`. */
export function valuesOf({ parameter, operator, value }: Condition): readonly string[] {
  return operator === 'in' || operator === 'notin' ? splitList(parameter, value) : [value];
}

const form = /^@(now|user\.(id|role|email|email_verified|(data|claims)\..+))$/;

/** What is wrong with a rule, in the words of the language. */
export function mistakeIn(rule: string, ownerField: string): string | undefined {
  const kind = kindOf(rule);
  if (kind === 'owner' && ownerField === '') return words.ownerNeeded;
  if (kind !== 'conditions') return undefined;
  if (rule.trim() === '') return words.noCondition;
  try {
    const all = conditionsOf(parseConditions(rule));
    if (all.some(({ path }) => path[0] === '@now')) return words.nowOnTheRight;
    const used = all.flatMap((condition) => [
      ...(isAboutCaller(condition) ? [formatPath(condition.path)] : []),
      ...valuesOf(condition).filter((value) => value.startsWith('@')),
    ]);
    const unknown = used.find((reference) => !form.test(reference));
    return unknown === undefined ? undefined : words.unknownReference(unknown);
  } catch (error) {
    if (!(error instanceof QueryError)) return String(error);
    return error.parameter === '' ? error.message : `${error.parameter}: ${error.message}`;
  }
}

const ownFields = ['id', 'createdAt', 'updatedAt'];

/** The fields that conditions can name, as they name them. */
export function fieldsOf(shape: CollectionShape | undefined): string[] {
  const paths = shape?.fields.map(({ path }) => path.replaceAll('[]', '')) ?? [];
  return [...new Set([...ownFields.slice(0, 1), ...paths, ...ownFields.slice(1)])];
}

/** The fields that a rule asks about and no document has. */
function unknownFields(rule: string, shape: CollectionShape | undefined): string[] {
  const filter = filterOf(rule);
  if (!filter || !shape || shape.sampled === 0 || shape.hasMore) return [];
  const known = new Set(fieldsOf(shape));
  const names = conditionsOf(filter)
    .filter((condition) => !isAboutCaller(condition))
    .filter(({ path }) => !known.has(formatPath(path)) && !(path.length > 1 && isLink(path[0] ?? '', shape)))
    .map(({ path }) => formatPath(path));
  return [...new Set(names)];
}

/** May the first name of a path lead to another record? `author` does where documents have `author_id`. */
function isLink(name: string, { fields }: CollectionShape): boolean {
  const singular = name.replace(/s$/, '');
  const stored = [name, `${name}_id`, `${name}_ids`, `${singular}_ids`];
  return fields.some(({ path, links }) => links !== undefined && stored.includes(path.replaceAll('[]', '')));
}

/** What may not be meant, though it can be saved. */
export function warningsOf(
  action: keyof typeof words.openTo,
  rule: string,
  shape: CollectionShape | undefined,
): string[] {
  return [
    ...(rule === 'public' ? [words.openTo[action]] : []),
    ...unknownFields(rule, shape).map(words.unknownField),
  ];
}
