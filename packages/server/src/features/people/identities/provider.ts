/** What shows that whoever ends a sign-in has also begun it: PKCE and a nonce. */
export interface Proof {
  readonly verifier: string;
  readonly nonce: string;
}

export interface SignInRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly proof?: Proof | undefined;
}

/** What the provider sent to the app, and the app to us. */
export interface SignInCode {
  readonly code: string;
  readonly redirectUri: string;
  readonly proof?: Proof | undefined;
}

/** What a provider says of a person, as far as it was checked. */
export interface ProviderProfile {
  readonly subject: string;
  readonly email?: unknown;
  /** Whether the provider has seen that the address is this person's. */
  readonly isEmailVouched: boolean;
  readonly name?: unknown;
  readonly picture?: unknown;
}

/** An identity provider, as one project has configured it. */
export interface Provider {
  /** Where the app sends its user. */
  signInUrl(request: SignInRequest): Promise<URL>;
  /** Trades the code for what the provider says of the person. */
  identify(code: SignInCode): Promise<ProviderProfile>;
}

const form = /^[a-z][a-z0-9_]{1,31}$/;

export const isProviderName = (name: string): boolean => form.test(name);
