import type { Dice } from '../../support/data/dice.ts';
import { ruleSubjects, type Subject } from './arbitrary-worlds.ts';
import type { RuleCondition, RuleModel, RuleValue } from './model.ts';

const comparisons = ['gt', 'gte', 'lt', 'lte'];
const operators = ['', 'ne', ...comparisons, 'contains', 'startswith', 'endswith', 'in', 'notin', 'isnull'];
/** Equality most of all, as in real rules. */
const weighted = ['', '', '', '', 'ne', 'ne', 'in', 'in', 'notin', ...operators];

/** A rule of any form. */
export function arbitraryRule(dice: Dice, collection: 'posts' | 'teams'): RuleModel {
  const form = dice.between(1, 20);
  if (form <= 4) return { word: (['locked', 'public', 'users', 'owner'] as const)[form - 1]! };
  const subjects = ruleSubjects[collection];
  const conditions = Array.from({ length: dice.between(1, 3) }, () => condition(dice, subjects, true));
  if (dice.chance(0.6)) {
    conditions.push(...group(dice, subjects, 'or'));
    if (dice.chance(0.3)) conditions.push(...group(dice, subjects, 'or:b'));
    // With a group beside it, a single condition would leave hardly any document.
    if (dice.chance(0.7))
      conditions.splice(
        0,
        conditions.findIndex(({ group }) => group !== undefined),
      );
  }
  return { conditions };
}

function group(dice: Dice, subjects: readonly Subject[], name: string): RuleCondition[] {
  return Array.from({ length: dice.between(2, 3) }, () => ({
    ...condition(dice, subjects, true),
    group: name,
  }));
}

/** One condition about one of the subjects, with or without references to the caller. */
export function condition(dice: Dice, subjects: readonly Subject[], mayRefer: boolean): RuleCondition {
  const subject = dice.pick(subjects);
  const operator = dice.pick(subject.isTime ? comparisons : weighted);
  const others = subjects.filter(({ isTime }) => isTime === subject.isTime);
  const paths = dice.chance(0.1) ? [subject.path, dice.pick(others).path] : [subject.path];
  if (operator === 'isnull') return { paths, operator, values: [{ text: dice.pick(['true', 'false']) }] };
  const value = (): RuleValue =>
    mayRefer && subject.references.length > 0 && dice.chance(0.6)
      ? { reference: dice.pick(subject.references) }
      : { text: dice.pick(subject.texts) };
  if (operator !== 'in' && operator !== 'notin') return { paths, operator, values: [value()] };
  const values = Array.from({ length: dice.between(1, 3) }, value);
  if (mayRefer && dice.chance(0.4)) values.push({ reference: '@user.data.list' });
  return { paths, operator, values };
}
