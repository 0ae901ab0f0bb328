import type { Call, CallOptions } from '../http.ts';
import type { ProjectTypes, User } from '../project-types.ts';

export interface Challenge {
  readonly requires_2fa: true;
  readonly challenge: string;
  readonly methods: readonly ('email' | 'totp' | 'recovery_code')[];
}

/** The first step was successful; a code is still required. */
export interface SecondStep<P extends ProjectTypes> {
  /** Where the code can come from. */
  readonly methods: Challenge['methods'];
  /** Signs in with a code: the emailed one, one from the authenticator app, or a recovery code. */
  verify(code: string, options?: CallOptions): Promise<User<P>>;
  /** Emails another code. */
  resend(options?: CallOptions): Promise<void>;
}

/** Either the user is signed in, or a second step is required. */
export type LoginResult<P extends ProjectTypes> =
  | { readonly user: User<P>; readonly secondStep?: never }
  | { readonly user?: never; readonly secondStep: SecondStep<P> };

/** How the parts of sign-in that are fetched when they are needed reach the rest. */
export interface AuthCalls {
  readonly url: string;
  post<Data>(path: string, body: object, options?: Pick<Call, 'isAnonymous'> & CallOptions): Promise<Data>;
  send<Data>(call: Pick<Call, 'method' | 'path' | 'query' | 'body' | 'isAnonymous'>): Promise<Data>;
  logIn(path: string, body: object, options?: CallOptions): Promise<LoginResult<ProjectTypes>>;
}
