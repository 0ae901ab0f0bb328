import { sha256 } from '../../platform/secrets.ts';
import type { FilledForm } from '../projects/index.ts';
import type { NewFile } from './file.ts';
import type { FormParts } from './read-form.ts';

/** A form whose files wait to be recorded. */
export class StagedForm implements FilledForm {
  readonly body: unknown;
  readonly files: readonly NewFile[];
  readonly digest: string;
  readonly discard: () => Promise<void>;

  constructor(body: unknown, { texts, files }: FormParts, discard: () => Promise<void>) {
    this.body = body;
    this.files = files.map(({ file }) => file);
    const contents = files.map(({ field, file }) => [field, file.name, file.digest]);
    this.digest = sha256(JSON.stringify([...texts, ...contents])).toString('hex');
    this.discard = discard;
  }
}

/** The files that came with a call, stored but not recorded. */
export function filesOf({ form }: { form?: FilledForm | undefined }): readonly NewFile[] {
  return form instanceof StagedForm ? form.files : [];
}
