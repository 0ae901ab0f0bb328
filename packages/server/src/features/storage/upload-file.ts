import { invalidBody } from '../../platform/http/errors.ts';
import type { FilledForm, IncomingForm, RequestContext, RouteInput } from '../projects/index.ts';
import { fileTooLarge, privateIsBoolean } from './errors.ts';
import type { File } from './file.ts';
import { checkPath } from './file-name.ts';
import { storageLimitsOf } from './limits.ts';
import { type FormParts, readForm } from './read-form.ts';
import { recordFiles } from './record-files.ts';
import type { StorageServices } from './services.ts';
import { discardStaged } from './stage-file.ts';
import { filesOf, StagedForm } from './staged-form.ts';
import { requireUploads } from './upload-rights.ts';

/** What a form can hold beside its file. */
const otherParts = 1_048_576;

interface UploadFields {
  readonly path: string;
  readonly isPrivate: boolean;
}

/** Reads the form of an upload: the part `file`, and if given `path` and `private`. */
export async function readUploadForm(
  services: StorageServices,
  context: RequestContext,
  form: IncomingForm,
): Promise<FilledForm> {
  requireUploads(context);
  const { fileBytes } = storageLimitsOf(context.project);
  // A body that says that it is too large need not be read to be refused.
  if (Number(form.headers['content-length'] ?? 0) > fileBytes + otherParts) throw fileTooLarge(fileBytes);
  const parts = await readForm(services, context, form);
  const discard = () =>
    discardStaged(
      services,
      context,
      parts.files.map(({ file }) => file),
    );
  try {
    return new StagedForm(readFields(parts), parts, discard);
  } catch (error) {
    await discard();
    throw error;
  }
}

function readFields({ texts, files }: FormParts): UploadFields {
  const [part, ...others] = files;
  if (part?.field !== 'file' || others.length > 0) {
    throw invalidBody('The form must have one file, in a part called "file".');
  }
  const other = [...texts.keys()].find((name) => name !== 'path' && name !== 'private');
  if (other !== undefined) {
    throw invalidBody(`The form takes "file", "path" and "private", and no "${other.slice(0, 100)}".`);
  }
  const isPrivate = texts.get('private') ?? 'false';
  if (isPrivate !== 'true' && isPrivate !== 'false') throw privateIsBoolean();
  return { path: checkPath(texts.get('path') ?? ''), isPrivate: isPrivate === 'true' };
}

/** Records the file that came with the call. */
export async function uploadFile(context: RequestContext, { form }: RouteInput): Promise<File> {
  const [file] = filesOf({ form });
  if (!file) throw invalidBody('Send the file as multipart/form-data, in a part called "file".');
  const { path, isPrivate } = form!.body as UploadFields;
  const [recorded] = await recordFiles(context, [{ ...file, path, isPrivate }]);
  return recorded!;
}
