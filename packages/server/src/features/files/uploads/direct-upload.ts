import { randomUUID } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { noteProject, type RequestContext } from '../../../calls/index.ts';
import { invalidBody, isBrokenOff } from '../../../platform/http/errors.ts';
import {
  type File,
  type FilesDeps,
  incomingOf,
  isUuid,
  linkExpired,
  originalOf,
  treeOf,
  uploadNotFound,
} from '../records/index.ts';
import type { UploadsDeps } from './deps.ts';
import { uploadBusy, uploadIncomplete } from './errors.ts';
import { type AnnouncedFile, completeUpload, getUpload, startUpload } from './start-upload.ts';
import { UploadLease } from './upload-lease.ts';
import { findUpload } from './upload-store.ts';

/** How long the address can be used, and how long the bytes are kept. */
const addressSeconds = 3600;
const keptSeconds = 2 * addressSeconds;

export interface WantedUpload {
  readonly name: string;
  readonly size: number;
  readonly path?: string;
  readonly private?: boolean;
}

/** Which upload an address of the node's own takes the bytes of. */
export interface DirectPut {
  readonly ref: string;
  readonly id: string;
}

const incomingKey = (projectId: string, id: string) => `${incomingOf(projectId, id)}/bytes`;

/** Gives out an address to which a client sends a file, without the file passing through this node. */
export async function startDirectUpload(deps: FilesDeps, context: RequestContext, wanted: WantedUpload) {
  const { project } = context;
  const id = randomUUID();
  const announced: AnnouncedFile = {
    id,
    kind: 'direct',
    name: wanted.name,
    path: wanted.path ?? '',
    size: wanted.size,
    isPrivate: wanted.private ?? false,
  };
  // What is sent to the address is removed in time, whether or not the upload is confirmed.
  const trees = [treeOf(project.id, id), incomingOf(project.id, id)];
  await startUpload(deps, context, announced, { trees, seconds: keptSeconds });
  const expires = Math.floor(Date.now() / 1000) + addressSeconds;
  const uploadUrl =
    (await deps.blobs.presignPut(incomingKey(project.id, id), {
      size: wanted.size,
      expiresInSeconds: addressSeconds,
    })) ?? ownPut(deps, project.ref, id, expires);
  return {
    id,
    method: 'PUT',
    uploadUrl,
    expiresAt: new Date(expires * 1000).toISOString(),
  };
}

/** Makes a file of what was sent to the address. */
export async function confirmDirectUpload(
  deps: FilesDeps,
  context: RequestContext,
  id: string,
): Promise<File> {
  await getUpload(context, id, 'direct');
  // One call at a time: what a second one copied would never be checked.
  await using lease = await UploadLease.take(context.db, id);
  if (!lease) throw uploadBusy();
  const upload = await getUpload(context, id, 'direct');
  const incoming = incomingKey(context.project.id, id);
  const size = (await deps.blobs.sizeOf(incoming)) ?? 0;
  if (size !== upload.size) throw uploadIncomplete(size, upload.size);
  // Copied before it is checked: the client can still overwrite what it sent.
  if (!(await deps.blobs.copy(incoming, originalOf(context.project.id, id)))) {
    throw uploadIncomplete(0, upload.size);
  }
  return await completeUpload(deps, context, upload);
}

const signedText = (id: string, expires: number) => `put\n${id}\n${expires}`;

function ownPut({ vault, urls }: FilesDeps, ref: string, id: string, expires: number): string {
  return `${urls.forPut(ref, id)}?expires=${expires}&signature=${vault.sign(signedText(id, expires))}`;
}

/** Takes the bytes itself where the blob store has no address for them, so that apps work the same with any store. */
export async function receiveDirectUpload(
  deps: UploadsDeps,
  { ref, id }: DirectPut,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('Access-Control-Allow-Origin', '*');
  const query = new URLSearchParams(request.url.slice(request.url.indexOf('?') + 1));
  const expires = Number(query.get('expires'));
  if (!deps.vault.isSigned(signedText(id, expires), query.get('signature') ?? '')) throw uploadNotFound();
  if (expires * 1000 <= Date.now()) throw linkExpired();
  const project = await deps.projects.findByRef(ref);
  if (project) noteProject(request, project);
  const upload = project && isUuid(id) ? await findUpload(deps.cells.forProject(project), id) : undefined;
  if (!project || upload?.kind !== 'direct') throw uploadNotFound();
  await deps.puts.run(`${project.id} ${id}`, (signal) =>
    storeExactly(deps, { key: incomingKey(project.id, id), body: request.raw, size: upload.size, signal }),
  );
  return reply.code(200).send();
}

async function storeExactly(
  { blobs }: FilesDeps,
  { key, body, size, signal }: { key: string; body: Readable; size: number; signal: AbortSignal },
): Promise<void> {
  const checked = exactly(size);
  const stored = blobs.put(key, checked);
  try {
    // Not the body itself: a pipeline that fails would destroy it, and with it the connection for the answer.
    await Promise.all([pipeline(body.iterator({ destroyOnReturn: false }), checked, { signal }), stored]);
  } catch (error) {
    checked.destroy();
    await Promise.allSettled([stored]);
    throw isBrokenOff(error) ? invalidBody('The body is incomplete.') : error;
  }
}

/** Passes bytes on, and fails unless there are exactly so many. */
function exactly(size: number): Transform {
  let came = 0;
  const wrong = () => invalidBody(`This URL accepts exactly ${size} bytes, as announced.`);
  return new Transform({
    highWaterMark: 1_048_576,
    transform(chunk: Buffer, _encoding, done) {
      came += chunk.length;
      if (came > size) done(wrong());
      else done(null, chunk);
    },
    flush(done) {
      done(came === size ? null : wrong());
    },
  });
}
