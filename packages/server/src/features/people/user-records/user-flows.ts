import type { Answer, RequestContext } from '../../../calls/index.ts';
import type { AppUser, SignIn } from './user-record.ts';

/**
 * What happens around a user record: mails and second steps. Each is called in the transaction of its cause, so that
 * both are committed together.
 */
export interface UserFlows {
  /** A user was created, in whatever way. */
  created(context: RequestContext, user: AppUser): Promise<void>;
  /** A user has signed up. */
  signedUp(context: RequestContext, user: AppUser): Promise<void>;
  /** A session begins. */
  signedIn(context: RequestContext, signIn: SignIn): Promise<void>;
  emailChanged(context: RequestContext, user: AppUser): Promise<void>;
  passwordChanged(context: RequestContext, user: AppUser): Promise<void>;
  /** Whether what the user has shown is enough to begin a session. */
  isEnough(context: RequestContext, signIn: SignIn): Promise<boolean>;
  /** Removes the user's authenticator app and its recovery codes. */
  removeAuthenticator(context: RequestContext, userId: string): Promise<void>;
  /** Whether a user who gave the right password still has to do something. */
  needsSecondStep(context: RequestContext, signIn: SignIn): Promise<boolean>;
  /** What that is; undefined: nothing. */
  secondStep(context: RequestContext, signIn: SignIn): Promise<Answer | undefined>;
}
