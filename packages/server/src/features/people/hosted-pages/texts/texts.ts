/** A heading and the paragraph below it. */
export interface Told {
  readonly title: string;
  readonly text: string;
}

/** A page with a form: what it is for, and what its button says. */
interface Asked extends Told {
  readonly button: string;
}

/** Every text of the pages. Each language has all of them: one that is missing does not compile. */
export interface Texts {
  /** Before the title of a page that shows a mistake. */
  readonly error: string;
  readonly email: string;
  readonly password: string;
  readonly newPassword: string;
  readonly newPasswordHint: string;
  readonly phone: string;
  readonly phoneHint: string;
  readonly code: string;
  readonly verifyEmail: Asked;
  readonly emailVerified: Told;
  readonly resetPassword: Asked;
  readonly passwordReset: Told & { readonly link: string };
  readonly forgotPassword: Asked;
  readonly resetSent: Told;
  readonly signIn: Omit<Asked, 'text'> & {
    readonly forgot: string;
    readonly byPhone: string;
    readonly byEmail: string;
    readonly again: string;
  };
  readonly phoneSignIn: Asked;
  readonly phoneCode: Omit<Asked, 'text'> & {
    readonly text: (number: string) => string;
    readonly resend: string;
    readonly otherNumber: string;
  };
  readonly secondStep: Asked & {
    /** What it says instead of `text` where an authenticator app makes the codes. */
    readonly appText: string;
    readonly resend: string;
    readonly resent: string;
    readonly recovery: string;
    readonly recoveryCode: string;
  };
  /** What is said beside a field. */
  readonly mistakes: {
    readonly login: string;
    readonly code: string;
    /** Where an authenticator app makes the codes, and no new one can be asked for. */
    readonly appCode: string;
    readonly email: string;
    readonly password: string;
    readonly commonPassword: string;
    readonly phone: string;
    readonly tooMany: (seconds: number) => string;
  };
  readonly problems: {
    readonly link: Told & { readonly newLink: string };
    readonly verification: Told;
    readonly signInExpired: Told;
    readonly tooMany: { readonly title: string; readonly text: (seconds: number) => string };
    readonly suspended: Told;
    readonly formElsewhere: Told;
    readonly noProject: Told;
    readonly notUnderstood: Told;
    readonly notOnItsOwn: Told;
    readonly noPhoneLogin: Told;
    readonly tooManyCodes: Told;
    readonly notSetUp: Told;
    readonly unavailable: Told;
    readonly fault: Told;
    readonly reference: string;
  };
  /** For whoever builds the app, not for whoever uses it. */
  readonly setup: {
    readonly title: string;
    readonly noTarget: string;
    readonly targetNotAllowed: string;
    readonly challenge: string;
    readonly state: string;
  };
}
