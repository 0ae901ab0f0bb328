import type { IncomingForm, RequestContext } from '../../../../calls/index.ts';
import { invalidBody } from '../../../../platform/http/errors.ts';
import { checkJsonValue, maxDepth, parseJson } from '../../../../platform/http/parse-json.ts';
import type { FilesDeps } from '../../records/index.ts';
import { discardStaged } from '../stage-file.ts';
import { type FilePart, readForm } from './read-form.ts';
import { StagedForm } from './staged-form.ts';

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads a form with JSON text in its part `data` and files in parts named by the fields they fill: a part sets its field
 * to the file's URL, several of one name to an array. `shape` makes the body of the fields and the other text parts.
 */
export async function readDocumentForm(
  deps: Pick<FilesDeps, 'blobs' | 'requireRoom' | 'urls'>,
  context: RequestContext,
  form: IncomingForm,
  shape: (data: Fields, texts: ReadonlyMap<string, string>) => unknown = onlyData,
): Promise<StagedForm> {
  const parts = await readForm(deps, context, form);
  const { texts, files } = parts;
  const staged = files.map(({ file }) => file);
  const discard = () => discardStaged(deps, context, staged);
  try {
    const data = { ...readData(texts.get('data')) };
    fillIn(data, urlsByField(deps, context, files));
    return new StagedForm(shape(data, texts), parts, discard);
  } catch (error) {
    await discard();
    throw error;
  }
}

function onlyData(data: Fields, texts: ReadonlyMap<string, string>): Fields {
  const other = [...texts.keys()].find((name) => name !== 'data');
  if (other !== undefined) {
    throw invalidBody(
      `The form has a text part "${other.slice(0, 100)}". Put fields into the part "data", as JSON; all other parts must be files.`,
    );
  }
  return data;
}

function readData(text: string | undefined): Fields {
  const data = text === undefined || text === '' ? {} : parseJson(text, maxDepth);
  if (!isObject(data)) throw invalidBody('The part "data" must be a JSON object.');
  return data;
}

/** `cover` sets a field, `$append.photos` adds to a list; both mean what they would in JSON, and are checked alike. */
function fillIn(data: Fields, urlsByField: ReadonlyMap<string, Urls>): void {
  for (const [field, urls] of urlsByField) {
    const [, operator, target] = /^(\$[^.]+)\.(.+)$/.exec(field) ?? [];
    const isOperand = operator !== undefined && target !== undefined;
    if (!isOperand && field.includes('.')) {
      throw invalidBody(
        `A file can only set a top-level field: "${field.slice(0, 100)}" is inside another field.`,
      );
    }
    const filled = isOperand
      ? { [operator]: withOperand(data[operator], target, { $each: urls.of }) }
      : { [field]: urls.isList || urls.of.length > 1 ? urls.of : urls.of[0] };
    checkJsonValue(filled);
    Object.assign(data, filled);
  }
}

/** The fields of an operator and one more, which must not be among them already. */
function withOperand(operands: unknown = {}, field: string, operand: unknown): Fields {
  if (!isObject(operands) || Object.hasOwn(operands, field)) {
    throw invalidBody(`"${field.slice(0, 100)}" is set by both "data" and a file, for the same operator.`);
  }
  return { ...operands, [field]: operand };
}

interface Urls {
  readonly of: string[];
  /** The part's name ends in []: a list, however many there are. */
  readonly isList: boolean;
}

function urlsByField(
  { urls }: Pick<FilesDeps, 'urls'>,
  { project }: RequestContext,
  files: readonly FilePart[],
): Map<string, Urls> {
  const byField = new Map<string, Urls>();
  for (const { field: part, file } of files) {
    const isList = part.endsWith('[]');
    const field = isList ? part.slice(0, -2) : part;
    if (field === 'data' || field === '') {
      throw invalidBody(
        'The part "data" must be JSON text: send it without a file name, and name file parts differently.',
      );
    }
    const before = byField.get(field);
    byField.set(field, {
      of: [...(before?.of ?? []), urls.of(project.ref, file)],
      isList: isList || (before?.isList ?? false),
    });
  }
  return byField;
}
