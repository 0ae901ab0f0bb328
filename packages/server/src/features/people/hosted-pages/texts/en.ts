import type { Texts } from './texts.ts';

export const en: Texts = {
  error: 'Error',
  email: 'E-mail address',
  password: 'Password',
  newPassword: 'New password',
  newPasswordHint: 'At least 8 characters.',
  phone: 'Phone number',
  phoneHint: 'With the country code, for example +44\u00a07700\u00a0900123.',
  code: 'Code',
  verifyEmail: {
    title: 'Confirm your e\u2011mail address',
    text: 'One click, and we know that this address is yours.',
    button: 'Confirm address',
  },
  emailVerified: {
    title: 'Your e\u2011mail address is confirmed',
    text: 'Thank you. You can close this page and go back to the app.',
  },
  resetPassword: {
    title: 'Choose a new password',
    text: 'You will then be signed out everywhere, and sign in with the new password.',
    button: 'Save password',
  },
  passwordReset: {
    title: 'Your password is changed',
    text: 'From now on, sign in with the new password.',
    link: 'Sign in',
  },
  forgotPassword: {
    title: 'Forgotten your password?',
    text: 'Enter your e-mail address. We will send you a link to choose a new password.',
    button: 'Send link',
  },
  resetSent: {
    title: 'Look into your mailbox',
    text: 'If there is an account with this address, a mail is on its way. The link in it works for one hour. If nothing arrives, look into the spam folder.',
  },
  signIn: {
    title: 'Sign in',
    button: 'Sign in',
    forgot: 'Forgotten your password?',
    byPhone: 'Sign in with your phone',
    byEmail: 'Sign in with your e-mail address',
    again: 'Start again',
  },
  phoneSignIn: {
    title: 'Sign in with your phone',
    text: 'We will send you a code.',
    button: 'Send code',
  },
  phoneCode: {
    title: 'Enter the code',
    text: (number) =>
      `If there is an account with the number ${number}, a code is on its way. It works for 10 minutes.`,
    button: 'Sign in',
    resend: 'Send a new code',
    otherNumber: 'Use another number',
  },
  secondStep: {
    title: 'Enter the code',
    text: 'We have sent a code to your e-mail address. It works for 10 minutes.',
    appText: 'Open your authenticator app and enter the code that it shows.',
    button: 'Sign in',
    resend: 'Send a new code',
    resent: 'A new code is on its way. Earlier ones no longer work.',
    recovery: 'Use a recovery code',
    recoveryCode: 'Recovery code',
  },
  mistakes: {
    login: 'E-mail address or password is wrong.',
    code: 'This code is wrong or no longer works. Check it, or ask for a new one.',
    appCode: 'This code is wrong or was already used. Check it, or wait for the next one.',
    email: 'Enter an e-mail address, such as name@example.com.',
    password: 'The password needs 8 to 256 characters.',
    commonPassword: 'This password is among the first that anybody would try. Choose another.',
    phone: 'Enter a phone number with its country code, such as +44\u00a07700\u00a0900123.',
    tooMany: (seconds) => `Too many tries. Wait ${seconds} s, then try again.`,
  },
  problems: {
    link: {
      title: 'This link no longer works',
      text: 'It has expired, was already used, or is not complete. A new one is quickly sent.',
      newLink: 'Ask for a new link',
    },
    verification: {
      title: 'This link no longer works',
      text: 'It has expired, was already used, or is not complete. If your address is not confirmed yet, sign in to the app and ask for a new mail there.',
    },
    signInExpired: {
      title: 'This sign-in has expired',
      text: 'It took too long, or too many codes were wrong. Start again.',
    },
    tooMany: { title: 'Too many tries', text: (seconds) => `Wait ${seconds} s, then try again.` },
    suspended: {
      title: 'This account is suspended',
      text: 'Nobody can sign in with it at present. Ask the people who run the app.',
    },
    formElsewhere: {
      title: 'This form was not accepted',
      text: 'It did not come from this page. Open the page again and send the form from there.',
    },
    noProject: {
      title: 'There is no app at this address',
      text: 'Check whether the link is complete, or open the app and start from there.',
    },
    notUnderstood: {
      title: 'This was not understood',
      text: 'Open the app and start again from there.',
    },
    notOnItsOwn: {
      title: 'This step cannot be opened by itself',
      text: 'It belongs to a sign-in. Open the app and start again from there.',
    },
    noPhoneLogin: {
      title: 'Signing in by phone is not offered',
      text: 'Open the app and sign in another way.',
    },
    tooManyCodes: {
      title: 'Too many codes',
      text: 'This account was sent many codes today, and none was used. Try again tomorrow.',
    },
    notSetUp: {
      title: 'This is not set up yet',
      text: 'The app cannot send messages yet. Ask the people who run it.',
    },
    unavailable: { title: 'Not available just now', text: 'Try again in a few seconds.' },
    fault: {
      title: 'Something went wrong',
      text: 'The fault is on our side. Try again later, or tell the people who run the app.',
    },
    reference: 'Reference',
  },
  setup: {
    title: 'This sign-in is not set up completely',
    noTarget:
      'For the developer: nothing says where to go after signing in. Add the parameter redirect_uri to the address, or set FRONTEND_URL in the project.',
    targetNotAllowed:
      'For the developer: the redirect_uri is not on one of the project’s allowed origins. Add its origin to them, exactly as the browser writes it.',
    challenge:
      'For the developer: code_challenge has to be the 43 characters of an S256 challenge (PKCE), and code_challenge_method S256 or left out.',
    state: 'For the developer: state may have 512 characters at most.',
  },
};
