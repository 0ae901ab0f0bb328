import { asError } from '../../../as-error.ts';
import { texts } from '../../../texts.ts';

interface Given {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly problem?: string;
}

/** The fields that a text says; nothing is typed yet is no mistake. */
export function fieldsIn(text: string): Given {
  if (text.trim() === '') return {};
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      return { problem: texts.data.notAnObject };
    return { fields: fields as Readonly<Record<string, unknown>> };
  } catch (error) {
    return { problem: asError(error).message };
  }
}
