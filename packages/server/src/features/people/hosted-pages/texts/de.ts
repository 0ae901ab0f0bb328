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
    text: 'Bestätigen Sie Ihre E-Mail-Adresse mit einem Klick.',
    button: 'Adresse bestätigen',
  },
  emailVerified: {
    title: 'Ihre E\u2011Mail-Adresse wurde bestätigt',
    text: 'Vielen Dank. Sie können diese Seite schließen und zur App zurückkehren.',
  },
  resetPassword: {
    title: 'Neues Passwort wählen',
    text: 'Sie werden dabei auf allen Geräten abgemeldet und können sich dann mit dem neuen Passwort anmelden.',
    button: 'Passwort speichern',
  },
  passwordReset: {
    title: 'Ihr Passwort wurde geändert',
    text: 'Melden Sie sich ab jetzt mit dem neuen Passwort an.',
    link: 'Anmelden',
  },
  forgotPassword: {
    title: 'Passwort vergessen?',
    text: 'Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen können.',
    button: 'Link senden',
  },
  resetSent: {
    title: 'Prüfen Sie Ihr Postfach',
    text: 'Wenn es ein Konto mit dieser Adresse gibt, ist eine E-Mail unterwegs. Der Link darin ist eine Stunde gültig. Wenn nichts ankommt, sehen Sie bitte im Spam-Ordner nach.',
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
      `Wenn es ein Konto mit der Nummer ${number} gibt, ist ein Code unterwegs. Er ist 10 Minuten gültig.`,
    button: 'Anmelden',
    resend: 'Neuen Code senden',
    otherNumber: 'Andere Nummer verwenden',
  },
  secondStep: {
    title: 'Code eingeben',
    text: 'Wir haben einen Code an Ihre E-Mail-Adresse gesendet. Er ist 10 Minuten gültig.',
    appText: 'Öffnen Sie Ihre Authenticator-App und geben Sie den angezeigten Code ein.',
    button: 'Anmelden',
    resend: 'Neuen Code senden',
    resent: 'Ein neuer Code ist unterwegs. Frühere Codes sind nicht mehr gültig.',
    recovery: 'Wiederherstellungscode verwenden',
    recoveryCode: 'Wiederherstellungscode',
  },
  mistakes: {
    login: 'E-Mail-Adresse oder Passwort ist falsch.',
    code: 'Dieser Code ist falsch oder abgelaufen. Prüfen Sie ihn oder fordern Sie einen neuen an.',
    appCode:
      'Dieser Code ist falsch oder wurde bereits verwendet. Prüfen Sie ihn oder warten Sie auf den nächsten.',
    email: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    password: 'Das Passwort muss 8 bis 256 Zeichen lang sein.',
    commonPassword: 'Dieses Passwort ist zu leicht zu erraten. Wählen Sie ein anderes.',
    phone: 'Geben Sie eine Telefonnummer mit Landesvorwahl ein, zum Beispiel +49\u00a01512\u00a03456789.',
    tooMany: (seconds) => `Zu viele Versuche. Warten Sie ${seconds} s und versuchen Sie es dann erneut.`,
  },
  problems: {
    link: {
      title: 'Dieser Link ist nicht mehr gültig',
      text: 'Er ist abgelaufen, wurde bereits verwendet oder ist unvollständig. Sie können einen neuen anfordern.',
      newLink: 'Neuen Link anfordern',
    },
    verification: {
      title: 'Dieser Link ist nicht mehr gültig',
      text: 'Er ist abgelaufen, wurde bereits verwendet oder ist unvollständig. Wenn Ihre Adresse noch nicht bestätigt ist, melden Sie sich in der App an und fordern Sie dort eine neue E-Mail an.',
    },
    signInExpired: {
      title: 'Diese Anmeldung ist abgelaufen',
      text: 'Sie hat zu lange gedauert, oder es wurden zu viele falsche Codes eingegeben. Beginnen Sie von vorn.',
    },
    tooMany: {
      title: 'Zu viele Versuche',
      text: (seconds) => `Warten Sie ${seconds} s und versuchen Sie es dann erneut.`,
    },
    suspended: {
      title: 'Dieses Konto ist gesperrt',
      text: 'Sie können sich zurzeit nicht anmelden. Wenden Sie sich an die Betreiber der App.',
    },
    formElsewhere: {
      title: 'Dieses Formular wurde nicht akzeptiert',
      text: 'Es wurde nicht von dieser Seite gesendet. Öffnen Sie die Seite erneut und senden Sie das Formular dort ab.',
    },
    noProject: {
      title: 'Unter dieser Adresse gibt es keine App',
      text: 'Prüfen Sie, ob der Link vollständig ist, oder öffnen Sie die App und beginnen Sie dort.',
    },
    notUnderstood: {
      title: 'Diese Anfrage ist ungültig',
      text: 'Öffnen Sie die App und beginnen Sie dort von vorn.',
    },
    notOnItsOwn: {
      title: 'Diese Seite lässt sich nicht direkt öffnen',
      text: 'Sie ist ein Schritt der Anmeldung. Öffnen Sie die App und beginnen Sie dort von vorn.',
    },
    noPhoneLogin: {
      title: 'Die Anmeldung per Telefon ist nicht verfügbar',
      text: 'Öffnen Sie die App und melden Sie sich auf anderem Weg an.',
    },
    tooManyCodes: {
      title: 'Zu viele Codes',
      text: 'An dieses Konto wurden heute viele Codes gesendet, und keiner wurde verwendet. Versuchen Sie es morgen erneut.',
    },
    notSetUp: {
      title: 'Das ist noch nicht eingerichtet',
      text: 'Die App kann noch keine Nachrichten senden. Wenden Sie sich an die Betreiber.',
    },
    unavailable: {
      title: 'Vorübergehend nicht verfügbar',
      text: 'Versuchen Sie es in ein paar Sekunden erneut.',
    },
    fault: {
      title: 'Etwas ist schiefgegangen',
      text: 'Der Fehler liegt bei uns. Versuchen Sie es später erneut oder wenden Sie sich an die Betreiber der App.',
    },
    reference: 'Kennung',
  },
  setup: {
    title: 'Diese Anmeldung ist nicht vollständig eingerichtet',
    noTarget:
      'Für die Entwicklung: Es ist nicht angegeben, wohin es nach der Anmeldung geht. Ergänzen Sie die Adresse um den Parameter redirect_uri oder setzen Sie FRONTEND_URL im Projekt.',
    targetNotAllowed:
      'Für die Entwicklung: Die redirect_uri liegt auf keinem erlaubten Origin des Projekts. Fügen Sie ihren Origin hinzu, genau so, wie ihn der Browser sendet.',
    challenge:
      'Für die Entwicklung: code_challenge muss aus den 43 Zeichen einer S256-Challenge (PKCE) bestehen, und code_challenge_method muss S256 sein oder fehlen.',
    state: 'Für die Entwicklung: state darf höchstens 512 Zeichen lang sein.',
  },
};
