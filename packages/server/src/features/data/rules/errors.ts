import { defineError } from '../../../platform/errors.ts';

export const ruleDenied = defineError(
  'rule_denied',
  (action: string) =>
    `The rules of this collection do not allow you to ${action}. To find out why, use POST …/explain with the API key.`,
);
export const signInRequired = defineError(
  'credential_required',
  () => 'This requires a signed-in user ("Authorization: Bearer <access_token>") or the project’s API key.',
);
export const invalidRule = defineError('invalid_rule', (place: string, problem: string) => ({
  message: `settings.${place}: ${problem}`,
  details: { rule: place.replace(/^rules\./, '') },
}));
export const invalidFieldRule = defineError('invalid_rule', (field: string, problem: string) => ({
  message: `settings.fieldRules: "${field}" cannot have rules. ${problem}`,
  details: { rule: `fieldRules.${field}` },
}));
export const fieldDenied = defineError('rule_denied', (field: string, action: 'create' | 'update') => ({
  message: `The rules of this collection do not allow you to ${action === 'create' ? 'set' : 'change'} "${field}". To find out why, use POST …/explain with the API key.`,
  details: { field },
}));
export const invalidSchema = defineError(
  'invalid_schema',
  (problem: string) => `settings.schema: ${problem}`,
);
export const invalidHiddenField = defineError('invalid_body', (field: string, problem: string) => ({
  message: `settings.hiddenFields: "${field}" cannot be hidden. ${problem}`,
  details: { path: 'body.settings.hiddenFields' },
}));
export const schemaMismatch = defineError('schema_mismatch', (path: string, problem: string) => ({
  message: `${path === '' ? 'The document' : path} ${problem}.`,
  details: { path },
}));
export const schemaTooSlow = defineError('schema_too_slow', (longestMs: number) => ({
  message: `Validation against the schema of the collection takes more than ${longestMs} ms, or too much memory. Send fewer documents at once, or simplify the schema: nest fewer "$ref" and "anyOf".`,
  details: { longestMs },
}));
export const schemasBusy = defineError('rate_limited', () => ({
  message:
    'Too many documents of this project are being validated against its schemas at the same time. Send fewer at once, or simplify the schemas.',
  headers: { 'Retry-After': '5' },
}));
export const fieldProtected = defineError('field_protected', (field: string) => ({
  message: `"${field}" can only be written with the API key.`,
  details: { field },
}));
