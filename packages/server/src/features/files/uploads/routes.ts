import { created, type ProjectRoutes, type RequestContext } from '../../../calls/index.ts';
import type { HttpServer } from '../../../platform/http/server.ts';
import { type File, fileParams, fileRecord, fileReference } from '../records/index.ts';
import type { UploadsDeps } from './deps.ts';
import { describeDirectPut } from './describe-direct-put.ts';
import {
  confirmDirectUpload,
  type DirectPut,
  receiveDirectUpload,
  startDirectUpload,
} from './direct-upload.ts';
import { readUploadForm, uploadFile } from './forms/upload-form.ts';
import { describeResumable } from './resumable/describe-resumable.ts';
import { resumablePath, serveResumable } from './resumable/serve-resumable.ts';
import { directUploadBody, directUploadSchema, uploadForm } from './schemas.ts';

export function addUploadRoutes(http: HttpServer, routes: ProjectRoutes, deps: UploadsDeps): void {
  const record = ({ project }: RequestContext, file: File) => fileRecord(deps.urls, project.ref, file);
  routes.add(
    {
      method: 'POST',
      url: '/storage/upload',
      access: 'credential',
      scope: 'storage',
      tag: 'Files',
      operationId: 'uploadFile',
      summary: 'Upload a file',
      description:
        'One file in the part `file` of a form. Its type is determined by its content and extension together, and must be one that the service accepts. App users can upload unless the project’s setting `uploads` is `server`.',
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
      scope: 'storage',
      tag: 'Files',
      operationId: 'startDirectUpload',
      summary: 'Start a direct upload to the store',
      description:
        'For large files: `PUT` the bytes to `uploadUrl`, then confirm. The URL accepts exactly as many bytes as were announced.',
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
      scope: 'storage',
      tag: 'Files',
      operationId: 'confirmDirectUpload',
      summary: 'Finish a direct upload to the store',
      description:
        'Creates a file from what was sent to the URL, once all of it has arrived. Content that does not match its type is rejected and removed.',
      params: fileParams,
      answers: { status: 201, data: fileReference },
      failures: [400, 404, 413],
    },
    async (context, { params }) =>
      created(record(context, await confirmDirectUpload(deps, context, params.id))),
  );
  const resumable: Parameters<ProjectRoutes['addRaw']>[1] = (context, request, reply) =>
    serveResumable(deps, context, request, reply);
  const shared = { access: 'credential', scope: 'storage', describe: describeResumable } as const;
  routes.addRaw({ ...shared, methods: ['OPTIONS', 'POST'], url: resumablePath }, resumable);
  routes.addRaw(
    { ...shared, methods: ['OPTIONS', 'HEAD', 'PATCH', 'DELETE'], url: `${resumablePath}/:id` },
    resumable,
  );
  http.route<{ Params: DirectPut }>({
    method: 'PUT',
    url: '/files/:ref/incoming/:id',
    config: {
      access: 'open',
      countsAs: 'file',
      isSecret: true,
      takesFiles: true,
      takesAnything: true,
      describe: describeDirectPut,
    },
    handler: (request, reply) => receiveDirectUpload(deps, request.params, request, reply),
  });
}
