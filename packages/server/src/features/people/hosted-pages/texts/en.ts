import type { Texts } from './texts.ts';

export const en: Texts = {
  error: 'Error',
  email: 'Email address',
  password: 'Password',
  newPassword: 'New password',
  newPasswordHint: 'At least 8 characters.',
  phone: 'Phone number',
  phoneHint: 'With the country code, for example +44\u00a07700\u00a0900123.',
  code: 'Code',
  verifyEmail: {
    title: 'Confirm your email address',
    text: 'Confirm your email address with one click.',
    button: 'Confirm address',
  },
  emailVerified: {
    title: 'Your email address is confirmed',
    text: 'Thank you. You can close this page and return to the app.',
  },
  resetPassword: {
    title: 'Choose a new password',
    text: 'This signs you out on all devices. You can then sign in with the new password.',
    button: 'Save password',
  },
  passwordReset: {
    title: 'Your password has been changed',
    text: 'From now on, sign in with the new password.',
    link: 'Sign in',
  },
  forgotPassword: {
    title: 'Forgot your password?',
    text: 'Enter your email address, and we will send you a link to choose a new password.',
    button: 'Send link',
  },
  resetSent: {
    title: 'Check your inbox',
    text: 'If an account exists for this address, an email is on its way. The link in it is valid for one hour. If nothing arrives, check your spam folder.',
  },
  signIn: {
    title: 'Sign in',
    button: 'Sign in',
    forgot: 'Forgot your password?',
    byPhone: 'Sign in with your phone',
    byEmail: 'Sign in with your email address',
    again: 'Start over',
  },
  phoneSignIn: {
    title: 'Sign in with your phone',
    text: 'We will send you a code.',
    button: 'Send code',
  },
  phoneCode: {
    title: 'Enter the code',
    text: (number) =>
      `If an account exists for the number ${number}, a code is on its way. It is valid for 10 minutes.`,
    button: 'Sign in',
    resend: 'Send a new code',
    otherNumber: 'Use a different number',
  },
  secondStep: {
    title: 'Enter the code',
    text: 'We have sent a code to your email address. It is valid for 10 minutes.',
    appText: 'Open your authenticator app and enter the code it shows.',
    button: 'Sign in',
    resend: 'Send a new code',
    resent: 'A new code is on its way. Earlier codes no longer work.',
    recovery: 'Use a recovery code',
    recoveryCode: 'Recovery code',
  },
  mistakes: {
    login: 'Wrong email address or password.',
    code: 'This code is wrong or has expired. Check it, or request a new one.',
    appCode: 'This code is wrong or has already been used. Check it, or wait for the next one.',
    email: 'Enter an email address, such as name@example.com.',
    password: 'The password must have 8 to 256 characters.',
    commonPassword: 'This password is too common. Choose another one.',
    phone: 'Enter a phone number with the country code, such as +44\u00a07700\u00a0900123.',
    tooMany: (seconds) => `Too many attempts. Wait ${seconds} s, then try again.`,
  },
  problems: {
    link: {
      title: 'This link no longer works',
      text: 'It has expired, has already been used, or is incomplete. You can request a new one.',
      newLink: 'Request a new link',
    },
    verification: {
      title: 'This link no longer works',
      text: 'It has expired, has already been used, or is incomplete. If your address is not confirmed yet, sign in to the app and request a new email there.',
    },
    signInExpired: {
      title: 'This sign-in has expired',
      text: 'It took too long, or too many wrong codes were entered. Start over.',
    },
    tooMany: { title: 'Too many attempts', text: (seconds) => `Wait ${seconds} s, then try again.` },
    suspended: {
      title: 'This account is suspended',
      text: 'You cannot sign in at the moment. Contact the people who run the app.',
    },
    formElsewhere: {
      title: 'This form was not accepted',
      text: 'It was not sent from this page. Open the page again and submit the form there.',
    },
    noProject: {
      title: 'There is no app at this address',
      text: 'Check that the link is complete, or open the app and start from there.',
    },
    notUnderstood: {
      title: 'This request is not valid',
      text: 'Open the app and start over from there.',
    },
    notOnItsOwn: {
      title: 'This page cannot be opened directly',
      text: 'It is one step of signing in. Open the app and start over from there.',
    },
    noPhoneLogin: {
      title: 'Phone sign-in is not available',
      text: 'Open the app and sign in another way.',
    },
    tooManyCodes: {
      title: 'Too many codes',
      text: 'Many codes were sent to this account today, and none was used. Try again tomorrow.',
    },
    notSetUp: {
      title: 'This is not set up yet',
      text: 'The app cannot send messages yet. Contact the people who run it.',
    },
    unavailable: { title: 'Temporarily unavailable', text: 'Try again in a few seconds.' },
    fault: {
      title: 'Something went wrong',
      text: 'The problem is on our side. Try again later, or contact the people who run the app.',
    },
    reference: 'Reference',
  },
  setup: {
    title: 'This sign-in is not fully set up',
    noTarget:
      'For the developer: there is no address to return to after signing in. Add the query parameter redirect_uri, or set FRONTEND_URL in the project.',
    targetNotAllowed:
      'For the developer: the redirect_uri is not on one of the project’s allowed origins. Add its origin, exactly as the browser sends it.',
    challenge:
      'For the developer: code_challenge must be the 43 characters of an S256 challenge (PKCE), and code_challenge_method must be S256 or omitted.',
    state: 'For the developer: state can have at most 512 characters.',
  },
};
