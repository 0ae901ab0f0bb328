import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { validationProblem } from './validation-problem.ts';

const closed = { additionalProperties: false };
const schema = Type.Object(
  {
    email: Type.String(),
    new_password: Type.String(),
    data: Type.Optional(Type.Object({})),
    action: Type.Union([Type.Literal('read'), Type.Literal('create')]),
    settings: Type.Object({ rules: Type.Object({ read: Type.String() }, closed) }, closed),
  },
  closed,
);
const misfit = (keyword: string, instancePath: string, params: Record<string, unknown>) =>
  validationProblem('body', { keyword, instancePath, params }, schema);
const surplus = (name: string, at = '') => misfit('additionalProperties', at, { additionalProperty: name });

test.each([
  [surplus('emial'), '"emial" is unknown here. Did you mean "email"?'],
  [surplus('newPassword'), '"newPassword" is unknown here. Did you mean "new_password"?'],
  [surplus('nickname'), '"nickname" is unknown here. Put fields of your own into "data".'],
  [surplus('reda', '/settings/rules'), '"reda" is unknown in "settings.rules". Did you mean "read"?'],
  [surplus('list', '/settings/rules'), '"list" is unknown in "settings.rules". Known fields: read.'],
  [misfit('required', '', { missingProperty: 'email' }), '"email" is missing.'],
  [misfit('required', '/settings', { missingProperty: 'rules' }), '"settings.rules" is missing.'],
  [misfit('type', '', { type: 'object' }), 'The body must be an object.'],
  [misfit('type', '/email', { type: 'string' }), '"email" must be a string.'],
  [misfit('minLength', '/new_password', { limit: 8 }), '"new_password" must have at least 8 characters.'],
  [misfit('anyOf', '/action', {}), '"action" must be one of "read", "create".'],
])('%s', (said, expected) => {
  expect(said).toBe(expected);
});
