import { defineError } from '../../../platform/errors.ts';

export const duplicateValue = defineError('duplicate_value', (fields: readonly string[], item?: number) => {
  const names = fields.map((field) => `"${field.slice(0, 100)}"`).join(', ');
  const what =
    fields.length > 1
      ? `the same values in ${names}. Use different values`
      : `the same value in ${names || 'a field'}, which must be unique. Use a different value`;
  const [at, others] =
    item === undefined ? ['', 'the collection'] : [`Item ${item}: `, 'the collection, or in this batch,'];
  return {
    message: `${at}Another document in ${others} has ${what}. Nothing was changed.`,
    details: { fields, ...(item !== undefined && { index: item }) },
  };
});
