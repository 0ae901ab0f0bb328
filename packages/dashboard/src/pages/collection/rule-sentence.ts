import { type Condition, type Filter, formatPath } from '@plinth/protocol';
import type { Action } from '../../api/collection.ts';
import { texts } from '../../texts.ts';
import { conditionsOf, filterOf, isAboutCaller, kindOf, valuesOf } from './rule-text.ts';

const {
  rules: { sentence: words },
} = texts;

/** A rule as a sentence: “Anyone signed in may read documents where author_id is their id.” */
export function sentenceOf(action: Action, rule: string, ownerField: string): string {
  const verb = words.verbs[action];
  switch (kindOf(rule)) {
    case 'locked':
      return words.locked(verb);
    case 'public':
      return words.public(verb, every(action));
    case 'users':
      return words.users(verb, every(action));
    case 'owner':
      return action === 'create' ? words.ownerCreates(ownerField) : words.owner(verb, ownerField);
    case 'conditions': {
      const filter = filterOf(rule);
      return filter ? byConditions(action, filter) : words.notUnderstood;
    }
  }
}

const every = (action: Action) => (action === 'create' ? words.documents : words.everyDocument);

function byConditions(action: Action, filter: Filter): string {
  const subject = needsSignIn(filter) ? words.signedIn : words.everyone;
  const isOnlyAboutCaller = conditionsOf(filter).every(isAboutCaller);
  const object = isOnlyAboutCaller ? `${every(action)} ${words.if}` : `${words.documents} ${words.where}`;
  return `${subject} ${words.may} ${words.verbs[action]} ${object} ${clauseOf(filter, true)}.`;
}

/** Conditions that name the caller are false where nobody is signed in. */
function needsSignIn(filter: Filter): boolean {
  if (filter.kind === 'and') return filter.of.some(needsSignIn);
  if (filter.kind === 'or') return filter.of.every(needsSignIn);
  return isAboutCaller(filter) || valuesOf(filter).some((value) => value.startsWith('@user.'));
}

function clauseOf(filter: Filter, isOutermost = false): string {
  if (filter.kind === 'condition') return conditionWords(filter);
  const [only] = filter.of;
  if (only && filter.of.length === 1) return clauseOf(only, isOutermost);
  const joined = filter.of.map((part) => clauseOf(part)).join(` ${words[filter.kind]} `);
  return isOutermost ? joined : `(${joined})`;
}

function conditionWords(condition: Condition): string {
  const left = isAboutCaller(condition)
    ? referenceWords(formatPath(condition.path))
    : formatPath(condition.path);
  if (condition.operator === 'isnull')
    return `${left} ${condition.value === 'false' ? words.hasValue : words.hasNone}`;
  const right = valuesOf(condition).map(valueWords).join(', ');
  return `${left} ${words.operators[condition.operator]} ${right}`;
}

const valueWords = (value: string): string =>
  value.startsWith('@') ? referenceWords(value) : `“${value.replace(/^\\@/, '@')}”`;

function referenceWords(reference: string): string {
  const [, group, rest] = /^@user\.(claims|data)\.(.+)$/.exec(reference) ?? [];
  if (group === 'claims') return words.claim(rest ?? '');
  if (group === 'data') return words.data(rest ?? '');
  return words.references[reference as keyof typeof words.references] ?? reference;
}
