import { hashSync, type Options } from '@node-rs/argon2';
import { answerJobs } from '../../../platform/concurrency/answer-jobs.ts';
import { verifyHash } from './verify-hash.ts';

/** What a thread is asked: to hash a password, or to compare one with a stored hash. */
export type HashJob =
  | { readonly password: string; readonly options: Options }
  | { readonly password: string; readonly stored: string };

answerJobs((job: HashJob) =>
  'stored' in job ? verifyHash(job.stored, job.password) : hashSync(job.password, job.options),
);
