import type { Texts } from './texts.ts';

export const fr: Texts = {
  error: 'Erreur',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  newPassword: 'Nouveau mot de passe',
  newPasswordHint: 'Au moins 8 caractères.',
  phone: 'Numéro de téléphone',
  phoneHint: 'Avec l’indicatif du pays, par exemple +33\u00a06\u00a012\u00a034\u00a056\u00a078.',
  code: 'Code',
  verifyEmail: {
    title: 'Confirmez votre adresse e\u2011mail',
    text: 'Confirmez votre adresse e-mail en un clic.',
    button: 'Confirmer l’adresse',
  },
  emailVerified: {
    title: 'Votre adresse e\u2011mail est confirmée',
    text: 'Merci. Vous pouvez fermer cette page et revenir à l’application.',
  },
  resetPassword: {
    title: 'Choisissez un nouveau mot de passe',
    text: 'Tous vos appareils seront déconnectés. Vous pourrez ensuite vous connecter avec le nouveau mot de passe.',
    button: 'Enregistrer le mot de passe',
  },
  passwordReset: {
    title: 'Votre mot de passe a été modifié',
    text: 'Connectez-vous désormais avec le nouveau mot de passe.',
    link: 'Se connecter',
  },
  forgotPassword: {
    title: 'Mot de passe oublié\u00a0?',
    text: 'Saisissez votre adresse e-mail. Nous vous enverrons un lien pour choisir un nouveau mot de passe.',
    button: 'Envoyer le lien',
  },
  resetSent: {
    title: 'Consultez votre boîte de réception',
    text: 'Si un compte existe avec cette adresse, un e-mail vient d’être envoyé. Le lien qu’il contient est valable une heure. Si vous ne recevez rien, vérifiez vos courriers indésirables.',
  },
  signIn: {
    title: 'Connexion',
    button: 'Se connecter',
    forgot: 'Mot de passe oublié\u00a0?',
    byPhone: 'Se connecter par téléphone',
    byEmail: 'Se connecter par e-mail',
    again: 'Recommencer',
  },
  phoneSignIn: {
    title: 'Connexion par téléphone',
    text: 'Nous vous enverrons un code.',
    button: 'Envoyer le code',
  },
  phoneCode: {
    title: 'Saisissez le code',
    text: (number) =>
      `Si un compte existe avec le numéro ${number}, un code vient d’être envoyé. Il est valable 10 minutes.`,
    button: 'Se connecter',
    resend: 'Envoyer un nouveau code',
    otherNumber: 'Utiliser un autre numéro',
  },
  secondStep: {
    title: 'Saisissez le code',
    text: 'Nous avons envoyé un code à votre adresse e-mail. Il est valable 10 minutes.',
    appText: 'Ouvrez votre application d’authentification et saisissez le code qu’elle affiche.',
    button: 'Se connecter',
    resend: 'Envoyer un nouveau code',
    resent: 'Un nouveau code vient d’être envoyé. Les précédents ne sont plus valables.',
    recovery: 'Utiliser un code de secours',
    recoveryCode: 'Code de secours',
  },
  mistakes: {
    login: 'L’adresse e-mail ou le mot de passe est incorrect.',
    code: 'Ce code est incorrect ou a expiré. Vérifiez-le ou demandez-en un nouveau.',
    appCode: 'Ce code est incorrect ou a déjà été utilisé. Vérifiez-le ou attendez le suivant.',
    email: 'Saisissez une adresse e-mail, par exemple nom@example.com.',
    password: 'Le mot de passe doit comporter de 8 à 256 caractères.',
    commonPassword: 'Ce mot de passe est trop courant. Choisissez-en un autre.',
    phone:
      'Saisissez un numéro avec l’indicatif du pays, par exemple +33\u00a06\u00a012\u00a034\u00a056\u00a078.',
    tooMany: (seconds) => `Trop de tentatives. Attendez ${seconds} s, puis réessayez.`,
  },
  problems: {
    link: {
      title: 'Ce lien n’est plus valable',
      text: 'Il a expiré, a déjà été utilisé ou est incomplet. Vous pouvez en demander un nouveau.',
      newLink: 'Demander un nouveau lien',
    },
    verification: {
      title: 'Ce lien n’est plus valable',
      text: 'Il a expiré, a déjà été utilisé ou est incomplet. Si votre adresse n’est pas encore confirmée, connectez-vous à l’application et demandez-y un nouvel e-mail.',
    },
    signInExpired: {
      title: 'Cette connexion a expiré',
      text: 'Elle a pris trop de temps, ou trop de codes incorrects ont été saisis. Recommencez.',
    },
    tooMany: {
      title: 'Trop de tentatives',
      text: (seconds) => `Attendez ${seconds} s, puis réessayez.`,
    },
    suspended: {
      title: 'Ce compte est suspendu',
      text: 'Vous ne pouvez pas vous connecter pour le moment. Adressez-vous aux responsables de l’application.',
    },
    formElsewhere: {
      title: 'Ce formulaire n’a pas été accepté',
      text: 'Il n’a pas été envoyé depuis cette page. Rouvrez la page et envoyez le formulaire depuis celle-ci.',
    },
    noProject: {
      title: 'Il n’y a pas d’application à cette adresse',
      text: 'Vérifiez que le lien est complet, ou ouvrez l’application et recommencez à partir de là.',
    },
    notUnderstood: {
      title: 'Cette demande n’est pas valide',
      text: 'Ouvrez l’application et recommencez à partir de là.',
    },
    notOnItsOwn: {
      title: 'Cette page ne peut pas être ouverte directement',
      text: 'Elle fait partie d’une connexion. Ouvrez l’application et recommencez à partir de là.',
    },
    noPhoneLogin: {
      title: 'La connexion par téléphone n’est pas disponible',
      text: 'Ouvrez l’application et connectez-vous autrement.',
    },
    tooManyCodes: {
      title: 'Trop de codes',
      text: 'De nombreux codes ont été envoyés à ce compte aujourd’hui, et aucun n’a été utilisé. Réessayez demain.',
    },
    notSetUp: {
      title: 'Ce n’est pas encore configuré',
      text: 'L’application ne peut pas encore envoyer de messages. Adressez-vous à ses responsables.',
    },
    unavailable: { title: 'Momentanément indisponible', text: 'Réessayez dans quelques secondes.' },
    fault: {
      title: 'Une erreur s’est produite',
      text: 'Le problème vient de notre côté. Réessayez plus tard ou contactez les responsables de l’application.',
    },
    reference: 'Référence',
  },
  setup: {
    title: 'Cette connexion n’est pas entièrement configurée',
    noTarget:
      'Pour le développement\u00a0: rien n’indique où aller après la connexion. Ajoutez le paramètre redirect_uri à l’adresse, ou définissez FRONTEND_URL dans le projet.',
    targetNotAllowed:
      'Pour le développement\u00a0: redirect_uri n’est sur aucune des origines autorisées du projet. Ajoutez-y son origine, exactement comme le navigateur l’envoie.',
    challenge:
      'Pour le développement\u00a0: code_challenge doit contenir les 43 caractères d’un défi S256 (PKCE), et code_challenge_method doit valoir S256 ou être absent.',
    state: 'Pour le développement\u00a0: state peut comporter au plus 512 caractères.',
  },
};
