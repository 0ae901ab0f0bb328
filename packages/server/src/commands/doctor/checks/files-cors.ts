import { randomUUID } from 'node:crypto';
import { eachProject } from '../../../features/control/projects/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { type DeploymentCheck, ok, warning } from '../check.ts';

/** Rules of a bucket are the same for all: a few origins tell. */
const mostOrigins = 3;
const mostProjects = 1000;
const answerWithinMs = 4000;

/** Asks the store as a browser does before it uploads: that needs no right of its own. */
export const filesCors: DeploymentCheck = {
  id: 'files-cors',
  group: 'Files',
  title: 'CORS of the bucket',
  page: 'projects.md#the-bucket',
  async run(deployment) {
    if (deployment.config.S3_BUCKET === undefined) return ok('Files are stored in a folder.');
    const store = await deployment.blobs();
    const url = await store.presignPut(`plinth-doctor/${randomUUID()}`, { size: 1, expiresInSeconds: 60 });
    const origins = await listOrigins(deployment.control);
    if (url === undefined || origins.length === 0) return ok('No project has allowed origins.');
    const allowed = await Promise.all(origins.map((origin) => isAllowed(url, origin)));
    const refused = origins.filter((_, at) => !allowed[at]);
    if (refused.length === 0) return ok(`Pages of ${origins.join(', ')} can upload directly to the bucket.`);
    return warning(
      `Pages of ${refused.join(', ')} cannot upload directly to the bucket: its CORS rules do not allow it.`,
      'Add CORS rules to the bucket that allow PUT from the origins of your apps. Uploads through the nodes work without them.',
    );
  },
};

async function listOrigins(control: ControlDb): Promise<string[]> {
  const origins = new Set<string>();
  let seen = 0;
  for await (const { allowedOrigins } of eachProject(control)) {
    for (const origin of allowedOrigins) if (!origin.includes('*')) origins.add(origin);
    seen += 1;
    if (origins.size >= mostOrigins || seen >= mostProjects) break;
  }
  return [...origins].slice(0, mostOrigins);
}

async function isAllowed(url: string, origin: string): Promise<boolean> {
  const { headers } = await fetch(url, {
    method: 'OPTIONS',
    headers: { Origin: origin, 'Access-Control-Request-Method': 'PUT' },
    signal: AbortSignal.timeout(answerWithinMs),
  });
  const allowed = headers.get('access-control-allow-origin');
  return allowed === '*' || allowed === origin;
}
