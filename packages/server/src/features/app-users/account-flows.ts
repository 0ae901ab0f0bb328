import type { Answer } from '../../platform/http/answer.ts';
import type { RequestContext } from '../projects/index.ts';
import type { AppUser, Login } from './app-user.ts';

/**
 * What belongs to an account beyond its record: mails and second steps. Each is called in the transaction of its cause,
 * so that what it asks for is committed with it.
 */
export interface AccountFlows {
  /** A user has come into being. */
  signedUp(context: RequestContext, user: AppUser): Promise<void>;
  /** A session begins. */
  signedIn(context: RequestContext, login: Login): Promise<void>;
  emailChanged(context: RequestContext, user: AppUser): Promise<void>;
  passwordChanged(context: RequestContext, user: AppUser): Promise<void>;
  /** Whether what the user has shown is enough to begin a session. */
  isEnough(context: RequestContext, login: Login): Promise<boolean>;
  /** Removes the user's authenticator app and its recovery codes. */
  removeAuthenticator(context: RequestContext, userId: string): Promise<void>;
  /** What a user who gave the right password must do yet; undefined: nothing. */
  secondStep(context: RequestContext, login: Login): Promise<Answer | undefined>;
}
