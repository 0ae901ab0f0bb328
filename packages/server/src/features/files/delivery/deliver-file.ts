import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { noteProject } from '../../../calls/index.ts';
import { type ImageFormat, readImageQuery } from '../images/index.ts';
import { type FileKind, kindOf } from '../kinds/index.ts';
import { type File, fileNotFound, findByUrlKey, originalOf } from '../records/index.ts';
import type { DeliveryDeps } from './deps.ts';
import { type Content, type ContentHeaders, sendContent } from './send-content.ts';
import { checkSignature } from './signed-url.ts';

const yearSeconds = 31_536_000;
const urlForm = /^([0-9a-f]{32})\.([a-z0-9.]{3,6})$/;

/** Which file a URL names. */
export interface FileAddress {
  readonly ref: string;
  readonly file: string;
}

/** Answers the URL of a file: no credential, any origin, the same bytes for ever. */
export async function deliverFile(
  deps: DeliveryDeps,
  address: FileAddress,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Any page may show a file, and may read why one cannot be had.
  reply
    .header('Access-Control-Allow-Origin', '*')
    .header('Access-Control-Expose-Headers', 'Content-Disposition, Content-Length, Content-Range, ETag')
    .header('Cross-Origin-Resource-Policy', 'cross-origin');
  const queryAt = request.url.indexOf('?');
  const query = new URLSearchParams(queryAt === -1 ? '' : request.url.slice(queryAt + 1));
  const { project, db, file } = await findAddressed(deps, address, request);
  const expires = file.isPrivate ? checkSignature(deps.vault, file, query) : undefined;
  const size = readImageQuery(file, query);
  const content: Content = size
    ? await deps.variants.get({ db, log: request.log, project, address: request.ip, file, size })
    : {
        tag: 'original',
        size: file.size,
        open: (range) => deps.blobs.read(originalOf(project.id, file.id), range),
      };
  const headers = headersOf(file, {
    tag: content.tag,
    format: size?.format,
    expires,
    isDownload: query.has('download'),
  });
  return sendContent(request, reply, content, headers);
}

async function findAddressed(
  { projects, cells }: DeliveryDeps,
  address: FileAddress,
  request: FastifyRequest,
) {
  const [, urlKey, extension] = urlForm.exec(address.file) ?? [];
  const project = await projects.findByRef(address.ref);
  if (project) noteProject(request, project);
  if (!project || urlKey === undefined) throw fileNotFound(address.file);
  const db = cells.forProject(project);
  const file = await findByUrlKey(db, urlKey);
  if (!file || file.extension !== extension) throw fileNotFound(address.file);
  return { project, db, file };
}

interface Form {
  readonly tag: string;
  /** Of an image that was converted. */
  readonly format: ImageFormat | undefined;
  /** When the link to a private file expires, in seconds since 1970. */
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
    // If a browser shows it as a page, it runs no script and has no origin. (PDF viewers refuse to run like this.)
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

/** Images, videos, PDF and plain text open in the browser; the rest is downloaded. */
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
