import type { Texts } from './texts.ts';

export const de: Texts = {
  error: 'Fehler',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  newPasswordHint: 'Mindestens 8 Zeichen.',
  phone: 'Telefonnummer',
  phoneHint: 'Mit Landesvorwahl, zum Beispiel +49\u00a01512\u00a03456789.',
  code: 'Code',
  verifyEmail: {
    title: 'E\u2011Mail-Adresse bestätigen',
    text: 'Ein Klick, und wir wissen, dass diese Adresse Ihnen gehört.',
    button: 'Adresse bestätigen',
  },
  emailVerified: {
    title: 'Ihre E\u2011Mail-Adresse ist bestätigt',
    text: 'Vielen Dank. Sie können diese Seite schließen und zur App zurückkehren.',
  },
  resetPassword: {
    title: 'Neues Passwort wählen',
    text: 'Danach sind Sie überall abgemeldet und melden sich mit dem neuen Passwort an.',
    button: 'Passwort speichern',
  },
  passwordReset: {
    title: 'Ihr Passwort ist geändert',
    text: 'Melden Sie sich ab jetzt mit dem neuen Passwort an.',
    link: 'Anmelden',
  },
  forgotPassword: {
    title: 'Passwort vergessen?',
    text: 'Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
    button: 'Link senden',
  },
  resetSent: {
    title: 'Sehen Sie in Ihr Postfach',
    text: 'Wenn es ein Konto mit dieser Adresse gibt, ist eine E-Mail unterwegs. Der Link darin gilt eine Stunde. Wenn nichts ankommt, sehen Sie im Spam-Ordner nach.',
  },
  signIn: {
    title: 'Anmelden',
    button: 'Anmelden',
    forgot: 'Passwort vergessen?',
    byPhone: 'Mit dem Telefon anmelden',
    byEmail: 'Mit der E-Mail-Adresse anmelden',
    again: 'Von vorn beginnen',
  },
  phoneSignIn: {
    title: 'Mit dem Telefon anmelden',
    text: 'Wir senden Ihnen einen Code.',
    button: 'Code senden',
  },
  phoneCode: {
    title: 'Code eingeben',
    text: (number) =>
      `Wenn es ein Konto mit der Nummer ${number} gibt, ist ein Code unterwegs. Er gilt 10 Minuten.`,
    button: 'Anmelden',
    resend: 'Neuen Code senden',
    otherNumber: 'Andere Nummer verwenden',
  },
  secondStep: {
    title: 'Code eingeben',
    text: 'Wir haben einen Code an Ihre E-Mail-Adresse gesendet. Er gilt 10 Minuten.',
    appText: 'Öffnen Sie Ihre Authenticator-App und geben Sie den Code ein, den sie zeigt.',
    button: 'Anmelden',
    resend: 'Neuen Code senden',
    resent: 'Ein neuer Code ist unterwegs. Frühere gelten nicht mehr.',
    recovery: 'Wiederherstellungscode verwenden',
    recoveryCode: 'Wiederherstellungscode',
  },
  mistakes: {
    login: 'E-Mail-Adresse oder Passwort ist falsch.',
    code: 'Dieser Code ist falsch oder gilt nicht mehr. Prüfen Sie ihn, oder fordern Sie einen neuen an.',
    appCode:
      'Dieser Code ist falsch oder wurde schon verwendet. Prüfen Sie ihn, oder warten Sie auf den nächsten.',
    email: 'Geben Sie eine E-Mail-Adresse ein, etwa name@example.com.',
    password: 'Das Passwort braucht 8 bis 256 Zeichen.',
    commonPassword: 'Dieses Passwort würden viele als Erstes versuchen. Wähle ein anderes.',
    phone: 'Geben Sie eine Telefonnummer mit Landesvorwahl ein, etwa +49\u00a01512\u00a03456789.',
    tooMany: (seconds) => `Zu viele Versuche. Warten Sie ${seconds} s und versuchen Sie es dann erneut.`,
  },
  problems: {
    link: {
      title: 'Dieser Link gilt nicht mehr',
      text: 'Er ist abgelaufen, wurde schon verwendet oder ist unvollständig. Ein neuer ist schnell gesendet.',
      newLink: 'Neuen Link anfordern',
    },
    verification: {
      title: 'Dieser Link gilt nicht mehr',
      text: 'Er ist abgelaufen, wurde schon verwendet oder ist unvollständig. Wenn Ihre Adresse noch nicht bestätigt ist, melden Sie sich in der App an und fordern Sie dort eine neue E-Mail an.',
    },
    signInExpired: {
      title: 'Diese Anmeldung ist abgelaufen',
      text: 'Sie hat zu lange gedauert, oder zu viele Codes waren falsch. Beginnen Sie von vorn.',
    },
    tooMany: {
      title: 'Zu viele Versuche',
      text: (seconds) => `Warten Sie ${seconds} s und versuchen Sie es dann erneut.`,
    },
    suspended: {
      title: 'Dieses Konto ist gesperrt',
      text: 'Zurzeit kann sich niemand damit anmelden. Fragen Sie die Betreiber der App.',
    },
    formElsewhere: {
      title: 'Dieses Formular wurde nicht angenommen',
      text: 'Es kam nicht von dieser Seite. Öffnen Sie die Seite erneut und senden Sie das Formular von dort.',
    },
    noProject: {
      title: 'Unter dieser Adresse gibt es keine App',
      text: 'Prüfen Sie, ob der Link vollständig ist, oder öffnen Sie die App und beginnen Sie dort.',
    },
    notUnderstood: {
      title: 'Das wurde nicht verstanden',
      text: 'Öffnen Sie die App und beginnen Sie dort von vorn.',
    },
    notOnItsOwn: {
      title: 'Dieser Schritt lässt sich nicht einzeln öffnen',
      text: 'Er gehört zu einer Anmeldung. Öffnen Sie die App und beginnen Sie dort von vorn.',
    },
    noPhoneLogin: {
      title: 'Anmelden mit dem Telefon gibt es hier nicht',
      text: 'Öffnen Sie die App und melden Sie sich auf anderem Weg an.',
    },
    tooManyCodes: {
      title: 'Zu viele Codes',
      text: 'An dieses Konto gingen heute viele Codes, und keiner wurde verwendet. Versuchen Sie es morgen erneut.',
    },
    notSetUp: {
      title: 'Das ist noch nicht eingerichtet',
      text: 'Die App kann noch keine Nachrichten senden. Fragen Sie die Betreiber.',
    },
    unavailable: { title: 'Gerade nicht verfügbar', text: 'Versuchen Sie es in ein paar Sekunden erneut.' },
    fault: {
      title: 'Etwas ist schiefgegangen',
      text: 'Der Fehler liegt bei uns. Versuchen Sie es später erneut, oder sagen Sie es den Betreibern der App.',
    },
    reference: 'Kennung',
  },
  setup: {
    title: 'Diese Anmeldung ist nicht vollständig eingerichtet',
    noTarget:
      'Für die Entwicklung: Nichts sagt, wohin es nach der Anmeldung geht. Ergänzen Sie die Adresse um den Parameter redirect_uri, oder setzen Sie FRONTEND_URL im Projekt.',
    targetNotAllowed:
      'Für die Entwicklung: Die redirect_uri liegt auf keinem erlaubten Origin des Projekts. Nehmen Sie ihren Origin dort auf, genau so, wie ihn der Browser schreibt.',
    challenge:
      'Für die Entwicklung: code_challenge sind die 43 Zeichen einer S256-Challenge (PKCE), code_challenge_method ist S256 oder fehlt.',
    state: 'Für die Entwicklung: state darf höchstens 512 Zeichen haben.',
  },
};
