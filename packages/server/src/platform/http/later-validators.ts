import type ajvCompiler from '@fastify/ajv-compiler';
import type { ErrorObject, ValidateFunction } from 'ajv';

type Build = ReturnType<typeof ajvCompiler>;

/** Compiles the schema of a route when it is first called: a node listens before it has compiled those of all routes. */
export function laterValidators(build: Build): Build {
  return (schemas, options) => {
    const compile = build(schemas, options);
    return (route) => {
      let compiled: ValidateFunction | undefined;
      const validate = (value: unknown) => {
        compiled ??= compile(route) as ValidateFunction;
        const isValid = compiled(value);
        validate.errors = compiled.errors;
        return isValid;
      };
      validate.errors = null as ErrorObject[] | null | undefined;
      return validate as unknown as ValidateFunction;
    };
  };
}
