import ajvCompiler from '@fastify/ajv-compiler';
import type { ErrorObject, ValidateFunction } from 'ajv';

type Build = ReturnType<typeof ajvCompiler>;

/**
 * Compiles the schema of a route when it is first called, instead of those of all routes before the node listens: that
 * took most of its start.
 */
export function buildLater(...[schemas, options]: Parameters<Build>): ReturnType<Build> {
  const compile = ajvCompiler()(schemas, options);
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
}
