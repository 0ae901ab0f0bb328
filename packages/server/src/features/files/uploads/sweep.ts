import type { Pool } from 'pg';
import type { BlobStore } from '../../../platform/blobs/blob-store.ts';
import { ProjectDb } from '../../../platform/db/project-db.ts';
import { forgetLoose, isUuid, takeLoose } from '../records/index.ts';
import { endUpload } from './upload-store.ts';

const batch = 50;

/** Removes bytes that nothing records any more: of files that are gone, and of uploads that a crash or a caller left. */
export async function sweepLooseBlobs(
  pool: Pool,
  blobs: BlobStore,
  isStopped: () => boolean = () => false,
): Promise<void> {
  while (!isStopped()) {
    const taken = await takeLoose(pool, batch);
    for (const { tree, project_id: projectId } of taken) {
      if (isStopped()) return;
      await blobs.removeAll(tree);
      await new ProjectDb(pool, projectId).transaction(async (db) => {
        const [, id = ''] = tree.split('/');
        if (isUuid(id)) await endUpload(db, id);
        await forgetLoose(db, tree);
      });
    }
    if (taken.length < batch) return;
  }
}
