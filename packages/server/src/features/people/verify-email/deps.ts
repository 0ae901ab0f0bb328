import type { Project } from '../../../calls/index.ts';
import type { MessageDeps } from '../messages/index.ts';
import type { PasswordDeps } from '../passwords/index.ts';

/** What it takes to mail a link that verifies an address. */
export interface VerificationMailDeps {
  readonly messages: MessageDeps;
  /** Where the service's own pages of a project are; never taken from a request. */
  readonly pagesOf: (project: Project) => string;
}

export interface VerifyEmailDeps extends VerificationMailDeps {
  readonly users: PasswordDeps;
}
