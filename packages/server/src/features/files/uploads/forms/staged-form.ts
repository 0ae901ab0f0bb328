import type { FilledForm } from '../../../../calls/index.ts';
import { sha256 } from '../../../../platform/crypto/secrets.ts';
import type { NewFile } from '../../records/index.ts';
import type { FormParts } from './read-form.ts';

/** A form whose files wait to be recorded. */
export class StagedForm<Body = unknown> implements FilledForm {
  readonly body: Body;
  readonly files: readonly NewFile[];
  readonly digest: string;
  readonly discard: () => Promise<void>;

  constructor(body: Body, { texts, files }: FormParts, discard: () => Promise<void>) {
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
