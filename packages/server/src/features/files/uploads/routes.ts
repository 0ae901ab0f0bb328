import { created, type ProjectRoutes, type RequestContext } from '../../../calls/index.ts';
import type { HttpServer } from '../../../platform/http/server.ts';
import { type File, fileParams, fileRecord, fileReference } from '../records/index.ts';
import type { UploadsDeps } from './deps.ts';
import {
  confirmDirectUpload,
  type DirectPut,
  receiveDirectUpload,
  startDirectUpload,
} from './direct-upload.ts';
import { readUploadForm, uploadFile } from './forms/upload-form.ts';
import { resumablePath, serveResumable } from './resumable/serve-resumable.ts';
import { directUploadBody, directUploadSchema, uploadForm } from './schemas.ts';

export function addUploadRoutes(http: HttpServer, routes: ProjectRoutes, deps: UploadsDeps): void {
  const record = ({ project }: RequestContext, file: File) => fileRecord(deps.urls, project.ref, file);
  routes.add(
    {
      method: 'POST',
      url: '/storage/upload',
      access: 'credential',
      tag: 'Files',
      operationId: 'uploadFile',
      summary: 'Upload a file',
      form: uploadForm,
      readForm: (context, form) => readUploadForm(deps, context, form),
      answers: { status: 201, data: fileReference },
      failures: [400, 413],
    },
    async (context, input) => created(record(context, await uploadFile(context, input.form))),
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
    async (context, { body }) => created(await startDirectUpload(deps, context, body)),
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
      created(record(context, await confirmDirectUpload(deps, context, params.id))),
  );
  const resumable: Parameters<ProjectRoutes['addRaw']>[1] = (context, request, reply) =>
    serveResumable(deps, context, request, reply);
  routes.addRaw({ methods: ['OPTIONS', 'POST'], url: resumablePath, access: 'credential' }, resumable);
  routes.addRaw(
    { methods: ['OPTIONS', 'HEAD', 'PATCH', 'DELETE'], url: `${resumablePath}/:id`, access: 'credential' },
    resumable,
  );
  http.route<{ Params: DirectPut }>({
    method: 'PUT',
    url: '/files/:ref/incoming/:id',
    config: { access: 'open', countsAs: 'file', takesFiles: true, takesAnything: true },
    schema: { hide: true },
    handler: (request, reply) => receiveDirectUpload(deps, request.params, request, reply),
  });
}
