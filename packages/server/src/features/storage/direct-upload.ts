import { randomUUID } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalidBody, isBrokenOff } from '../../platform/http/errors.ts';
import type { RequestContext } from '../projects/index.ts';
import type { DeliveryServices } from './deliver-file.ts';
import { linkExpired, uploadBusy, uploadIncomplete, uploadNotFound } from './errors.ts';
import { type File, incomingOf, isUuid, originalOf, treeOf } from './file.ts';
import type { StorageServices } from './services.ts';
import { completeUpload, getUpload, startUpload } from './start-upload.ts';
import { UploadLease } from './upload-lease.ts';
import { findUpload } from './upload-store.ts';

/** How long the address is good, and how long after it the bytes are kept. */
const addressSeconds = 3600;
const keptSeconds = 2 * addressSeconds;

export interface WantedUpload {
  readonly name: string;
  readonly size: number;
  readonly path?: string;
  readonly private?: boolean;
}

const incomingKey = (projectId: string, id: string) => `${incomingOf(projectId, id)}/bytes`;

/** Gives out an address to which a client sends a file without it passing through this node. */
export async function startDirectUpload(
  services: StorageServices,
  context: RequestContext,
  wanted: WantedUpload,
) {
  const { project } = context;
  const id = randomUUID();
  const announced = {
    id,
    kind: 'direct',
    name: wanted.name,
    path: wanted.path ?? '',
    size: wanted.size,
    isPrivate: wanted.private ?? false,
  } as const;
  // What is sent to the address is removed after its time whether or not the upload was confirmed.
  const trees = [treeOf(project.id, id), incomingOf(project.id, id)];
  await startUpload(context, announced, { trees, seconds: keptSeconds });
  const expires = Math.floor(Date.now() / 1000) + addressSeconds;
  const uploadUrl =
    (await services.blobs.presignPut(incomingKey(project.id, id), {
      size: wanted.size,
      expiresInSeconds: addressSeconds,
    })) ?? ownPut(services, project.ref, id, expires);
  return {
    id,
    method: 'PUT',
    uploadUrl,
    expiresAt: new Date(expires * 1000).toISOString(),
  };
}

/** Makes a file of what was sent to the address. */
export async function confirmDirectUpload(
  services: StorageServices,
  context: RequestContext,
  id: string,
): Promise<File> {
  await getUpload(context, id, 'direct');
  // One at a time: what a second call copied would never have been looked at.
  await using lease = await UploadLease.take(context.db, id);
  if (!lease) throw uploadBusy();
  const upload = await getUpload(context, id, 'direct');
  const incoming = incomingKey(context.project.id, id);
  const size = (await services.blobs.sizeOf(incoming)) ?? 0;
  if (size !== upload.size) throw uploadIncomplete(size, upload.size);
  // Copied before it is looked at: the client can still write to where it has written.
  if (!(await services.blobs.copy(incoming, originalOf(context.project.id, id)))) {
    throw uploadIncomplete(0, upload.size);
  }
  return await completeUpload(services, context, upload);
}

const signedText = (id: string, expires: number) => `put\n${id}\n${expires}`;

function ownPut({ vault, urls }: StorageServices, ref: string, id: string, expires: number): string {
  return `${urls.forPut(ref, id)}?expires=${expires}&signature=${vault.sign(signedText(id, expires))}`;
}

/** Takes the bytes itself where the blob store cannot: the same address and answers, so that apps work the same. */
export async function receiveDirectUpload(
  services: DeliveryServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('Access-Control-Allow-Origin', '*');
  const { ref, id } = request.params as { ref: string; id: string };
  const query = new URLSearchParams(request.url.slice(request.url.indexOf('?') + 1));
  const expires = Number(query.get('expires'));
  if (!services.vault.isSigned(signedText(id, expires), query.get('signature') ?? '')) throw uploadNotFound();
  if (expires * 1000 <= Date.now()) throw linkExpired();
  const project = await services.projects.findByRef(ref);
  const upload = project && isUuid(id) ? await findUpload(services.cells.forProject(project), id) : undefined;
  if (!project || upload?.kind !== 'direct') throw uploadNotFound();
  await storeExactly(services, incomingKey(project.id, id), request.raw, upload.size);
  return reply.code(200).send();
}

async function storeExactly(
  { blobs }: StorageServices,
  key: string,
  body: Readable,
  size: number,
): Promise<void> {
  const checked = exactly(size);
  const stored = blobs.put(key, checked);
  try {
    await Promise.all([pipeline(body, checked), stored]);
  } catch (error) {
    checked.destroy();
    await Promise.allSettled([stored]);
    throw isBrokenOff(error) ? invalidBody('The body breaks off.') : error;
  }
}

/** Passes bytes on, and fails if there are more or fewer than so many. */
function exactly(size: number): Transform {
  let came = 0;
  const wrong = () => invalidBody(`This address takes exactly ${size} bytes, as announced.`);
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
