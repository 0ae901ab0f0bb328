import ajvCompiler from '@fastify/ajv-compiler';
import { expect, test } from 'vitest';
import { laterValidators } from './later-validators.ts';

const options = { customOptions: { useDefaults: true } };

test('a schema is compiled by the first value, once, and each value has errors of its own', () => {
  let compiled = 0;
  const compile = laterValidators((schemas, given) => {
    const build = ajvCompiler()(schemas, given);
    return (route) => {
      compiled += 1;
      return build(route);
    };
  })({}, options);
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer' }, of: { type: 'string', default: 'all' } },
  };
  const validate = compile({ schema });
  expect(compiled).toBe(0);
  const value = { n: 1 };
  expect(validate(value)).toBe(true);
  expect(value).toEqual({ n: 1, of: 'all' });
  expect(validate({ n: 'one' })).toBe(false);
  expect(validate.errors).toEqual([expect.objectContaining({ instancePath: '/n', keyword: 'type' })]);
  expect(validate({ n: 2 })).toBe(true);
  expect(validate.errors).toBe(null);
  expect(compiled).toBe(1);
});
