/** Which fields documents were seen to have, and what to say of a list that asks for another. */
export { FieldNames } from './field-names.ts';
export { warningsAbout } from './warnings.ts';
