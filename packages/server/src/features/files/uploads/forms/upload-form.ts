import type { IncomingForm, RequestContext } from '../../../../calls/index.ts';
import { invalidBody } from '../../../../platform/http/errors.ts';
import {
  checkPath,
  type File,
  type FilesDeps,
  fileLimitsOf,
  fileTooLarge,
  recordFile,
  requireUploads,
} from '../../records/index.ts';
import { privateIsBoolean } from '../errors.ts';
import { discardStaged } from '../stage-file.ts';
import { type FormParts, readForm } from './read-form.ts';
import { StagedForm } from './staged-form.ts';

/** What a form can hold beside its file. */
const otherParts = 1_048_576;

interface UploadFields {
  readonly path: string;
  readonly isPrivate: boolean;
}

/** Reads the form of an upload: the part `file`, and if given `path` and `private`. */
export async function readUploadForm(
  deps: FilesDeps,
  context: RequestContext,
  form: IncomingForm,
): Promise<StagedForm<UploadFields>> {
  requireUploads(context);
  const { fileBytes } = fileLimitsOf(context.project);
  // A body that announces that it is too large is refused unread.
  if (Number(form.headers['content-length'] ?? 0) > fileBytes + otherParts) throw fileTooLarge(fileBytes);
  const parts = await readForm(deps, context, form);
  const discard = () =>
    discardStaged(
      deps,
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
    throw invalidBody(
      `The form can have the parts "file", "path" and "private", but not "${other.slice(0, 100)}".`,
    );
  }
  const isPrivate = texts.get('private') ?? 'false';
  if (isPrivate !== 'true' && isPrivate !== 'false') throw privateIsBoolean();
  return { path: checkPath(texts.get('path') ?? ''), isPrivate: isPrivate === 'true' };
}

/** Records the file that came with the call. */
export async function uploadFile(context: RequestContext, form?: StagedForm<UploadFields>): Promise<File> {
  const [file] = form?.files ?? [];
  if (!form || !file) throw invalidBody('Send the file as multipart/form-data, in a part called "file".');
  return recordFile(context, { ...file, ...form.body });
}
