import { hashSync, type Options, verifySync } from '@node-rs/argon2';
import { answerJobs } from '../../../platform/concurrency/answer-jobs.ts';

/** What a thread is asked: to hash a password, or to compare one with a stored hash. */
export type HashJob =
  | { readonly password: string; readonly options: Options }
  | { readonly password: string; readonly stored: string };

answerJobs((job: HashJob) =>
  'stored' in job ? verifySync(job.stored, job.password) : hashSync(job.password, job.options),
);
