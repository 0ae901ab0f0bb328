import { defineError } from '../../../platform/errors.ts';

export const duplicateValue = defineError('duplicate_value', (fields: readonly string[], item?: number) => {
  const names = fields.map((field) => `"${field.slice(0, 100)}"`).join(', ');
  const what =
    fields.length > 1
      ? `these values of ${names} together. Send others`
      : `this value of ${names || 'a field'}, which no two can have. Send another`;
  const [at, others] =
    item === undefined ? ['', 'the collection'] : [`Item ${item}: `, 'the collection, or of this batch,'];
  return {
    message: `${at}Another document of ${others} has ${what}. Nothing was changed.`,
    details: { fields, ...(item !== undefined && { index: item }) },
  };
});
