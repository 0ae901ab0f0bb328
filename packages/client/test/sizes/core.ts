export { Collection } from '../../src/collection.ts';
export { attempt, isPlinthError, PlinthError } from '../../src/errors.ts';
export { Http } from '../../src/http.ts';
