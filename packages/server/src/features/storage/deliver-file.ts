import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cells } from '../../platform/db/cells.ts';
import type { ProjectDirectory } from '../projects/index.ts';
import { fileNotFound } from './errors.ts';
import { type File, originalOf } from './file.ts';
import { type FileKind, kindOf } from './file-kinds.ts';
import { readImageQuery } from './image-query.ts';
import { imageVariant } from './image-variants.ts';
import type { ImageFormat } from './images.ts';
import { type Content, type ContentHeaders, sendContent } from './send-content.ts';
import type { StorageServices } from './services.ts';
import { checkSignature } from './signed-url.ts';
import { findByUrlKey } from './store.ts';

export interface DeliveryServices extends StorageServices {
  readonly projects: ProjectDirectory;
  readonly cells: Cells;
}

const yearSeconds = 31_536_000;
const urlForm = /^([0-9a-f]{32})\.([a-z0-9.]{3,6})$/;

/** Answers the URL of a file: no credential, any origin, for ever the same bytes. */
export async function deliverFile(
  services: DeliveryServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Any page may show a file; so may it read why one is not there.
  reply
    .header('Access-Control-Allow-Origin', '*')
    .header('Access-Control-Expose-Headers', 'Content-Disposition, Content-Length, Content-Range, ETag')
    .header('Cross-Origin-Resource-Policy', 'cross-origin');
  const { ref, file: fileName } = request.params as { ref: string; file: string };
  const queryAt = request.url.indexOf('?');
  const query = new URLSearchParams(queryAt === -1 ? '' : request.url.slice(queryAt + 1));
  const [, urlKey, extension] = urlForm.exec(fileName) ?? [];
  const project = await services.projects.findByRef(ref);
  if (!project || urlKey === undefined) throw fileNotFound(fileName);
  const db = services.cells.forProject(project);
  const file = await findByUrlKey(db, urlKey);
  if (!file || file.extension !== extension) throw fileNotFound(fileName);
  const expires = file.isPrivate ? checkSignature(services.vault, file, query) : undefined;
  const size = readImageQuery(file, query);
  const content: Content = size
    ? await imageVariant(services, {
        db,
        log: request.log,
        projectId: project.id,
        address: request.ip,
        file,
        size,
      })
    : {
        tag: 'original',
        size: file.size,
        open: (range) => services.blobs.read(originalOf(project.id, file.id), range),
      };
  const headers = headersOf(file, {
    tag: content.tag,
    format: size?.format,
    expires,
    isDownload: query.has('download'),
  });
  return sendContent(request, reply, content, headers);
}

interface Form {
  readonly tag: string;
  /** Of an image that was converted. */
  readonly format: ImageFormat | undefined;
  /** Until when the link of a private file is good, in seconds since 1970. */
  readonly expires: number | undefined;
  readonly isDownload: boolean;
}

function headersOf(file: File, { tag, format, expires, isDownload }: Form): ContentHeaders {
  const kind = kindOf(file.extension);
  const isSafe = kind.nature === 'image' || kind.nature === 'media';
  return {
    'content-type': format === undefined ? servedType(kind) : imageTypes[format],
    etag: `"${file.urlKey}${tag === 'original' ? '' : `-${tag}`}"`,
    'last-modified': file.createdAt.toUTCString(),
    'cache-control': cacheControl(expires),
    'content-disposition': contentDisposition(format === undefined ? file.name : renamed(file.name, format), {
      type: isDownload || !isShown(kind) ? 'attachment' : 'inline',
    }),
    // Whatever a browser might make of it, it is nobody's page: no script, no origin. (PDF viewers refuse to run in it.)
    ...(!isSafe && {
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }),
  };
}

const imageTypes: Record<ImageFormat, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
};

function servedType({ nature, contentType }: FileKind): string {
  return nature === 'text' ? `${contentType}; charset=utf-8` : contentType;
}

/** Images, films, PDF and plain text open in the browser; the rest is saved. */
function isShown({ nature, extension }: FileKind): boolean {
  return nature === 'image' || nature === 'media' || extension === 'txt';
}

function cacheControl(expires: number | undefined): string {
  if (expires === undefined) return `public, max-age=${yearSeconds}, immutable`;
  const seconds = Math.max(0, Math.floor(expires - Date.now() / 1000));
  return `private, max-age=${seconds}, immutable`;
}

function renamed(name: string, format: ImageFormat): string {
  return `${name.slice(0, name.lastIndexOf('.'))}.${format}`;
}
