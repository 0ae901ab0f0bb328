type Fields = ReadonlyMap<string, string>;

/** A call of management, as the page makes it for whoever filled in its form. */
export interface PageCall {
  readonly path: string;
  readonly body: Readonly<Record<string, string>>;
  /** Codes of failures after which the page goes on with its next call. */
  readonly goesOnAfter?: readonly string[];
  /** Not made if the call before it was answered well. */
  readonly isInstead?: boolean;
}

interface Field {
  readonly name: 'email' | 'password' | 'code' | 'name';
  readonly label: string;
  readonly type: 'email' | 'password' | 'text';
  readonly autocomplete: string;
  readonly isOptional?: boolean;
}

/** A page that a mailed or printed link leads to. */
export interface AccountPage {
  readonly title: string;
  readonly text: string;
  /** What is to be compared with what a program shows. */
  readonly code?: (token: string) => string;
  readonly fields: readonly Field[];
  /** Whoever is signed in need not fill in the fields. */
  readonly takesSession?: boolean;
  readonly button: string;
  readonly calls: (token: string, fields: Fields) => readonly PageCall[];
  readonly done: { readonly title: string; readonly text: string };
}

const email: Field = { name: 'email', label: 'Email address', type: 'email', autocomplete: 'username' };
const password = (isNew: boolean): Field => ({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: isNew ? 'new-password' : 'current-password',
});
const code: Field = {
  name: 'code',
  label: 'Authenticator app code, if you have one',
  type: 'text',
  autocomplete: 'one-time-code',
  isOptional: true,
};

/** The beginning of what a program asks with, as it is read aloud; the program shows the same. */
export function shownCode(request: string): string {
  const letters = request
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 8)
    .toUpperCase();
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

const given = (fields: Fields, ...names: Field['name'][]) =>
  Object.fromEntries(names.flatMap((name) => (fields.get(name) ? [[name, fields.get(name) ?? '']] : [])));

const signIn = (fields: Fields, more: Partial<PageCall> = {}): PageCall => ({
  path: '/management/session',
  body: given(fields, 'email', 'password', 'code'),
  ...more,
});

/** The pages by their names. What they do, they do by the calls that programs make. */
export const accountPages: Readonly<
  Record<'verify' | 'reset' | 'sign-in' | 'join' | 'claim' | 'approve', AccountPage>
> = {
  verify: {
    title: 'Confirm your email address',
    text: 'Confirm your email address with one click.',
    fields: [],
    button: 'Confirm',
    calls: (token) => [{ path: '/management/verification', body: { token } }],
    done: { title: 'Thank you', text: 'Your email address is confirmed.' },
  },
  reset: {
    title: 'Choose a new password',
    text: 'At least 8 characters. This ends all your sessions; you can then sign in with the new password.',
    fields: [password(true)],
    button: 'Set password',
    calls: (token, fields) => [
      { path: '/management/password-reset/complete', body: { token, ...given(fields, 'password') } },
    ],
    done: { title: 'Done', text: 'Your new password is set. You can now sign in with it.' },
  },
  'sign-in': {
    title: 'Sign in',
    text: 'This link signs you in, once.',
    fields: [],
    button: 'Sign in',
    calls: (token) => [{ path: '/management/session', body: { token } }],
    done: { title: 'You are signed in', text: 'You can now manage your projects in this browser.' },
  },
  join: {
    title: 'You are invited',
    text: 'Create an account with the address the invitation was sent to, or sign in if you already have one.',
    fields: [email, password(true), code],
    button: 'Join',
    calls: (token, fields) => [
      {
        path: '/management/accounts',
        body: { invitation: token, ...given(fields, 'email', 'password') },
        goesOnAfter: ['email_taken'],
      },
      signIn(fields, { isInstead: true }),
      { path: '/management/invitations/accept', body: { token }, goesOnAfter: ['invitation_not_found'] },
    ],
    done: { title: 'Welcome', text: 'You are signed in and can now manage your projects.' },
  },
  claim: {
    title: 'Keep this project',
    text: 'Sign in to make the temporary project yours. It will then not be deleted.',
    fields: [email, password(false), code],
    button: 'Keep it',
    calls: (token, fields) => [signIn(fields), { path: '/management/claims', body: { token } }],
    done: { title: 'It is yours', text: 'The project will be kept. You can find it among your projects.' },
  },
  approve: {
    title: 'Approve a login',
    text: 'A program wants to manage projects on your behalf. Only approve this if you have just run “plinth login” yourself and your terminal shows this code:',
    code: (token) => shownCode(token),
    fields: [email, password(false), code],
    takesSession: true,
    button: 'Approve',
    calls: (token, fields) => [
      ...(fields.get('email') ? [signIn(fields)] : []),
      { path: '/management/logins', body: { request: token } },
    ],
    done: {
      title: 'The program is logged in',
      text: 'You can close this page and return to your terminal.',
    },
  },
};
