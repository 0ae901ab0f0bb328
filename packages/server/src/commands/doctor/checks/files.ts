import { BlobStepError, tryBlobStore } from '../../../platform/blobs/try-blob-store.ts';
import { ConfigError } from '../../../platform/config/config.ts';
import { type DeploymentCheck, ok, problem } from '../check.ts';
import { why } from '../why.ts';

const rights = { write: 's3:PutObject', read: 's3:GetObject', delete: 's3:ListBucket and s3:DeleteObject' };

export const files: DeploymentCheck = {
  id: 'files',
  group: 'Files',
  title: 'write, read and delete',
  page: 'projects.md#files',
  mustAnswer: true,
  async run(deployment) {
    try {
      const store = await deployment.blobs();
      await tryBlobStore(store);
      return ok(`An object was written to the ${store.description}, read and deleted.`);
    } catch (error) {
      if (error instanceof ConfigError)
        return problem(error.message, 'Set S3_BUCKET, or FILES_FOLDER: plinth start needs one of them.');
      if (!(error instanceof BlobStepError)) throw error;
      const { S3_BUCKET: bucket, FILES_FOLDER: folder = '' } = deployment.config;
      const { step } = error;
      return bucket === undefined
        ? problem(
            `Files cannot be stored in ${folder}: ${step} failed (${why(error)}).`,
            'Give the user that runs the nodes write permission for FILES_FOLDER.',
          )
        : problem(
            `The bucket ${bucket} cannot be used: ${step} failed (${why(error)}).`,
            `Check S3_BUCKET, S3_ENDPOINT and the credentials; ${step} needs ${rights[step]}.`,
          );
    }
  },
};
