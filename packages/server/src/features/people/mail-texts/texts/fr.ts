import type { TextSet } from './text-set.ts';

// A colon and guillemets keep their space on the line, hence \u00a0. Text messages do without it: it would make
// them twice as long on the air.
export const fr: TextSet = {
  buttonHint: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur\u00a0:',
  footer: '{{app_name}} a envoyé ce message à {{email}} car cette adresse y a été indiquée pour un compte.',
  templates: {
    verification: {
      subject: 'Confirmez votre adresse e-mail pour {{app_name}}',
      button: 'Confirmer l’adresse',
      body: `Bonjour{{#name}} {{name}}{{/name}},

Veuillez confirmer que {{email}} est bien votre adresse, afin de pouvoir l’utiliser avec {{app_name}}.

{{link}}

Ce lien est valable {{hours}} heures et ne peut servir qu’une fois.

Si cela ne vous concerne pas, quelqu’un s’est sans doute trompé en saisissant son adresse. Vous pouvez ignorer ce message\u00a0: l’adresse ne sera alors pas confirmée.`,
    },
    welcome: {
      subject: 'Bienvenue sur {{app_name}}',
      button: 'Se connecter',
      body: `Bonjour{{#name}} {{name}}{{/name}},

Votre compte {{app_name}} est prêt. Vous vous connectez avec cette adresse\u00a0: {{email}}

{{login_url}}

Si vous n’avez pas créé ce compte, quelqu’un d’autre a indiqué votre adresse. Vous n’avez rien à faire.`,
    },
    'password-reset': {
      subject: 'Réinitialisez votre mot de passe pour {{app_name}}',
      button: 'Choisir un nouveau mot de passe',
      body: `Bonjour{{#name}} {{name}}{{/name}},

Une réinitialisation du mot de passe de votre compte {{app_name}} ({{email}}) a été demandée. Vous pouvez en choisir un nouveau ici\u00a0:

{{link}}

Ce lien est valable {{minutes}} minutes et ne peut servir qu’une fois. Tant que vous n’avez pas choisi de nouveau mot de passe, l’ancien reste valable.

Si vous n’êtes pas à l’origine de cette demande, vous pouvez ignorer ce message. Personne ne peut changer votre mot de passe sans le lien ci-dessus\u00a0: ne le communiquez à personne.

{{#login_url}}Si vous vous souvenez finalement de votre mot de passe, connectez-vous comme d’habitude\u00a0:{{/login_url}}

{{login_url}}`,
    },
    'password-changed': {
      subject: 'Votre mot de passe pour {{app_name}} a été modifié',
      body: `Bonjour{{#name}} {{name}}{{/name}},

Le mot de passe de votre compte {{app_name}} ({{email}}) a été modifié le {{time}}{{#device}} ({{device}}){{/device}}. Les appareils connectés auparavant ont été déconnectés.

Si c’était vous, vous n’avez rien d’autre à faire.

Si ce n’était pas vous, quelqu’un d’autre a accès à votre compte. Réinitialisez immédiatement votre mot de passe en choisissant «\u00a0Mot de passe oublié\u00a0» sur la page de connexion. Si vous utilisez le même mot de passe pour votre messagerie, changez-le là aussi.

{{login_url}}`,
    },
    'two-step-code': {
      subject: 'Votre code de connexion pour {{app_name}}',
      body: `Bonjour{{#name}} {{name}}{{/name}},

Pour terminer votre connexion à {{app_name}}, saisissez ce code\u00a0:

{{code}}

Ce code est valable {{minutes}} minutes et ne peut servir qu’une fois. Ne le communiquez à personne\u00a0: {{app_name}} ne vous le demandera jamais.

Si vous n’êtes pas en train de vous connecter, quelqu’un d’autre connaît votre mot de passe. Changez-le sans tarder.`,
    },
    'phone-code': {
      subject: 'Votre code pour {{app_name}}',
      body: `Bonjour{{#name}} {{name}}{{/name}},

Pour continuer avec votre numéro de téléphone sur {{app_name}}, saisissez ce code\u00a0:

{{code}}

Ce code est valable {{minutes}} minutes et ne peut servir qu’une fois. Ne le communiquez à personne\u00a0: {{app_name}} ne vous le demandera jamais.

Si vous n’avez pas demandé de code, vous pouvez ignorer ce message. Personne ne peut se connecter sans lui.`,
    },
    'sms-code': {
      body: '{{code}} est votre code pour {{app_name}}. Valable {{minutes}} minutes. Ne le communiquez pas.',
    },
    'new-device': {
      subject: 'Nouvelle connexion à {{app_name}}',
      body: `Bonjour{{#name}} {{name}}{{/name}},

Quelqu’un s’est connecté à votre compte {{app_name}} ({{email}}) depuis un appareil qui n’y avait encore jamais été utilisé.

Date\u00a0: {{time}}
{{#device}}Appareil\u00a0: {{device}}{{/device}}
{{#address}}Adresse IP\u00a0: {{address}}{{/address}}

Si c’était vous, vous n’avez rien à faire.

Si ce n’était pas vous, quelqu’un d’autre connaît votre mot de passe. Connectez-vous et changez-le immédiatement\u00a0: tous les autres appareils seront alors déconnectés.

{{login_url}}`,
    },
  },
};
