import { created, type ProjectRoutes } from '../../../calls/index.ts';
import type { HttpServer } from '../../../platform/http/server.ts';
import { fileParams, getFile } from '../records/index.ts';
import { deliverFile, type FileAddress } from './deliver-file.ts';
import type { DeliveryDeps } from './deps.ts';
import { describeDelivery } from './describe-delivery.ts';
import { signedUrlBody, signedUrlSchema } from './schemas.ts';
import { signUrl } from './signed-url.ts';

/** The URLs of files, and signed ones that are good for a time. */
export function addDeliveryRoutes(http: HttpServer, routes: ProjectRoutes, deps: DeliveryDeps): void {
  routes.add(
    {
      method: 'POST',
      url: '/storage/file/:id/signed-url',
      access: 'credential',
      scope: 'storage',
      tag: 'Files',
      operationId: 'signUrl',
      summary: 'Create a signed URL of a file',
      description:
        'The only way to access a private file. Anyone who has the URL can read the file until it expires, so only share it with people who are allowed to.',
      params: fileParams,
      body: signedUrlBody,
      isBodyOptional: true,
      answers: { status: 201, data: signedUrlSchema },
      failures: [400, 404],
    },
    async (context, { params, body }) => {
      const file = await getFile(context, params.id);
      const { expiresIn } = body;
      return created(signUrl(deps, context.project.ref, file, expiresIn ?? 3600));
    },
  );
  http.route<{ Params: FileAddress }>({
    method: ['GET', 'HEAD'],
    url: '/files/:ref/:file',
    config: { access: 'open', countsAs: 'file', isSecret: true, describe: describeDelivery },
    exposeHeadRoute: false,
    handler: (request, reply) => deliverFile(deps, request.params, request, reply),
  });
}
