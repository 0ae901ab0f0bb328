import { type Static, Type } from 'typebox';
import { created, ok } from '../../platform/http/answer.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import type { ProjectRoutes, RequestContext } from '../projects/index.ts';
import { type DeliveryServices, deliverFile } from './deliver-file.ts';
import { confirmDirectUpload, receiveDirectUpload, startDirectUpload } from './direct-upload.ts';
import { type File, fileRecord } from './file.ts';
import { deleteFile, getFile, listFolder, storageInfo } from './list-files.ts';
import {
  directUploadBody,
  directUploadSchema,
  fileParams,
  fileReference,
  signedUrlBody,
  signedUrlSchema,
  uploadForm,
  usageSchema,
} from './schemas.ts';
import { resumablePath, serveResumable } from './serve-resumable.ts';
import type { StorageServices } from './services.ts';
import { signUrl } from './signed-url.ts';
import { readUploadForm, uploadFile } from './upload-file.ts';

export function addStorageRoutes(routes: ProjectRoutes, services: StorageServices): void {
  const record = ({ project }: RequestContext, file: File) => fileRecord(services.urls, project.ref, file);
  addUploads(routes, services, record);
  addFiles(routes, services, record);
}

type MakeRecord = (context: RequestContext, file: File) => ReturnType<typeof fileRecord>;

function addUploads(routes: ProjectRoutes, services: StorageServices, record: MakeRecord): void {
  routes.add(
    {
      method: 'POST',
      url: '/storage/upload',
      access: 'credential',
      tag: 'Files',
      operationId: 'uploadFile',
      summary: 'Upload a file',
      form: uploadForm,
      readForm: (context, form) => readUploadForm(services, context, form),
      answers: { status: 201, data: fileReference },
      failures: [400, 413],
    },
    async (context, input) => created(record(context, await uploadFile(context, input))),
  );
  routes.add(
    {
      method: 'POST',
      url: '/storage/direct-uploads',
      access: 'credential',
      tag: 'Files',
      operationId: 'startDirectUpload',
      summary: 'Get an address to send a large file to, straight to the store',
      body: directUploadBody,
      answers: { status: 201, data: directUploadSchema },
      failures: [400, 413],
    },
    async (context, { body }) =>
      created(await startDirectUpload(services, context, body as Static<typeof directUploadBody>)),
  );
  routes.add(
    {
      method: 'POST',
      url: '/storage/direct-uploads/:id/confirm',
      access: 'credential',
      tag: 'Files',
      operationId: 'confirmDirectUpload',
      summary: 'Make a file of what was sent to the address',
      params: fileParams,
      answers: { status: 201, data: fileReference },
      failures: [400, 404, 413],
    },
    async (context, { params }) =>
      created(record(context, await confirmDirectUpload(services, context, params.id!))),
  );
  const resumable: Parameters<ProjectRoutes['addRaw']>[1] = (context, request, reply) =>
    serveResumable(services, context, request, reply);
  routes.addRaw({ methods: ['OPTIONS', 'POST'], url: resumablePath, access: 'credential' }, resumable);
  routes.addRaw(
    { methods: ['OPTIONS', 'HEAD', 'PATCH', 'DELETE'], url: `${resumablePath}/:id`, access: 'credential' },
    resumable,
  );
}

function addFiles(routes: ProjectRoutes, services: StorageServices, record: MakeRecord): void {
  routes.add(
    {
      method: 'GET',
      url: '/storage/list',
      access: 'credential',
      tag: 'Files',
      operationId: 'listFiles',
      summary: 'List the files of a folder, newest first',
      description: 'The folders in it stand beside `data` as `folders`. App users see their own uploads.',
      query: [
        {
          name: 'path',
          schema: Type.String({ default: '', description: 'The folder, such as `photos/2026/`.' }),
        },
        { name: 'limit', schema: Type.Integer({ default: 20, minimum: 1 }) },
        { name: 'offset', schema: Type.Integer({ default: 0, minimum: 0 }) },
      ],
      answers: { status: 200, data: Type.Array(fileReference), list: true },
      failures: [400],
    },
    async (context, { queryString }) => {
      const { files, folders, page } = await listFolder(context, queryString);
      return {
        ...ok(files.map((file) => record(context, file))),
        beside: { folders: JSON.stringify(folders) },
        page,
      };
    },
  );
  routes.add(
    {
      method: 'GET',
      url: '/storage/file/:id',
      access: 'credential',
      tag: 'Files',
      operationId: 'getFile',
      summary: 'A file’s record',
      params: fileParams,
      answers: { status: 200, data: fileReference },
      failures: [404],
    },
    async (context, { params }) => ok(record(context, await getFile(context, params.id!))),
  );
  routes.add(
    {
      method: 'DELETE',
      url: '/storage/file/:id',
      access: 'credential',
      tag: 'Files',
      operationId: 'deleteFile',
      summary: 'Delete a file',
      params: fileParams,
      answers: { status: 200, data: Type.Object({ id: Type.String(), deleted: Type.Literal(true) }) },
      failures: [404],
    },
    async (context, { params }) => {
      await deleteFile(services, context, params.id!);
      return ok({ id: params.id!, deleted: true });
    },
  );
  routes.add(
    {
      method: 'POST',
      url: '/storage/file/:id/signed-url',
      access: 'credential',
      tag: 'Files',
      operationId: 'signUrl',
      summary: 'A URL of a file that is good for a limited time',
      params: fileParams,
      body: signedUrlBody,
      isBodyOptional: true,
      answers: { status: 201, data: signedUrlSchema },
      failures: [400, 404],
    },
    async (context, { params, body }) => {
      const file = await getFile(context, params.id!);
      const { expiresIn } = body as Static<typeof signedUrlBody>;
      return created(signUrl(services, context.project.ref, file, expiresIn ?? 3600));
    },
  );
  routes.add(
    {
      method: 'GET',
      url: '/storage/info',
      access: 'server',
      tag: 'Files',
      operationId: 'getStorageInfo',
      summary: 'How much the project stores',
      answers: { status: 200, data: usageSchema },
    },
    async (context) => ok(await storageInfo(context)),
  );
}

/** The public side: URLs of files, and the address that takes a direct upload where the store has none. */
export function addFileDelivery(app: HttpServer, services: DeliveryServices): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/files/:ref/:file',
    config: { access: 'open' },
    schema: { hide: true },
    exposeHeadRoute: false,
    handler: (request, reply) => deliverFile(services, request, reply),
  });
  app.route({
    method: 'PUT',
    url: '/files/:ref/incoming/:id',
    config: { access: 'open', takesFiles: true, takesAnything: true },
    schema: { hide: true },
    handler: (request, reply) => receiveDirectUpload(services, request, reply),
  });
}
