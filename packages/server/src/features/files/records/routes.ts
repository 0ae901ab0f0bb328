import { queryLimits } from '@plinth/protocol';
import { Type } from 'typebox';
import { ok, type ProjectRoutes, type RequestContext } from '../../../calls/index.ts';
import type { FilesDeps } from './deps.ts';
import { type File, fileRecord } from './file.ts';
import { deleteFile, describeUsage, getFile, listFolder } from './list-files.ts';
import { deletedFileSchema, fileParams, fileReference, usageSchema } from './schemas.ts';

export function addFileRoutes(routes: ProjectRoutes, deps: FilesDeps): void {
  const record = ({ project }: RequestContext, file: File) => fileRecord(deps.urls, project.ref, file);
  routes.add(
    {
      method: 'GET',
      url: '/storage/list',
      access: 'credential',
      scope: 'storage',
      tag: 'Files',
      operationId: 'listFiles',
      summary: 'List the files of a folder, newest first',
      description:
        'The folders in it are next to `data` as `folders`. The API key sees all files, an app user only its own uploads.',
      query: [
        {
          name: 'path',
          schema: Type.String({ default: '', description: 'The folder, such as `photos/2026/`.' }),
        },
        {
          name: 'limit',
          schema: Type.Integer({
            default: queryLimits.defaultLimit,
            minimum: 1,
            description: `Files per page; more than ${queryLimits.maxLimit} is treated as ${queryLimits.maxLimit}.`,
          }),
        },
        {
          name: 'offset',
          schema: Type.Integer({ default: 0, minimum: 0, description: 'Files to skip.' }),
        },
      ],
      answers: {
        status: 200,
        data: Type.Array(fileReference),
        list: true,
        beside: {
          folders: Type.Array(Type.String(), {
            description: 'The folders in this one.',
            examples: [['photos/2026/']],
          }),
        },
      },
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
      scope: 'storage',
      tag: 'Files',
      operationId: 'getFile',
      summary: 'Read the record of a file',
      description: 'Its name, size and URL. App users only see their own uploads; the content is at the URL.',
      params: fileParams,
      answers: { status: 200, data: fileReference },
      failures: [404],
    },
    async (context, { params }) => ok(record(context, await getFile(context, params.id))),
  );
  routes.add(
    {
      method: 'DELETE',
      url: '/storage/file/:id',
      access: 'credential',
      scope: 'storage',
      tag: 'Files',
      operationId: 'deleteFile',
      summary: 'Delete a file',
      description:
        'Its URL returns 404 from then on, except where a cache still has it. App users can only delete their own uploads.',
      params: fileParams,
      answers: { status: 200, data: deletedFileSchema },
      failures: [404],
    },
    async (context, { params }) => {
      await deleteFile(deps, context, params.id);
      return ok({ id: params.id, deleted: true });
    },
  );
  routes.add(
    {
      method: 'GET',
      url: '/storage/info',
      access: 'server',
      scope: 'storage',
      tag: 'Files',
      operationId: 'getStorageInfo',
      summary: 'See how much the project stores',
      description: 'All files together and by content type, and how much room its tier leaves.',
      answers: { status: 200, data: usageSchema },
    },
    async (context) => ok(await describeUsage(context)),
  );
}
