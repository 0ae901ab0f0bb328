import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { canonicalJson, parseJsonText } from '../../../platform/json.ts';

// Patterns run in linear time: what a regular expression may take must not depend on who wrote it.
const regExp = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern);
    // Ajv tells patterns apart by their text.
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern };
  },
  { code: 'linear' },
);

// Making the code shorter takes longer than the code itself ever will.
const options: Options = {
  strict: false,
  allErrors: false,
  validateFormats: false,
  code: { optimize: false },
};

/** A schema that can be used, and about how many bytes it takes. */
export interface ReadSchema {
  readonly validate: ValidateFunction;
  readonly bytes: number;
}

/** What Ajv takes for a schema, however short it is. */
const leastBytes = 65_536;

/** Reads schemas. What a schema must look like is prepared once for all. */
export class SchemaReader {
  readonly #meta = new Ajv2020(options);

  constructor() {
    this.read('{"type":"object"}');
  }

  read(text: string): ReadSchema {
    const schema = parseJsonText(text) as object;
    if (!this.#meta.validateSchema(schema)) throw new Error(this.#meta.errorsText(this.#meta.errors));
    let codeLength = 0;
    const process = (code: string) => {
      codeLength += code.length;
      return code;
    };
    // One instance each: an $id of one project must not be visible to another.
    const ajv = new Ajv2020({
      ...options,
      validateSchema: false,
      code: { ...options.code, regExp, process },
    });
    // Ajv's own compares every element with every other.
    ajv.removeKeyword('uniqueItems');
    ajv.addKeyword({
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      validate: isUnique,
      error: { message: 'must not have duplicate elements' },
    });
    const validate = ajv.compile(schema);
    if ('$async' in validate) throw new Error('"$async" is not supported.');
    // JavaScript reads the code now, and refuses what is nested too deep for it.
    validate({});
    return { validate, bytes: leastBytes + 2 * codeLength };
  }
}

function isUnique(isAsked: boolean, elements: readonly unknown[]): boolean {
  return !isAsked || new Set(elements.map(canonicalJson)).size === elements.length;
}
