import type { Texts } from './texts.ts';

export const es: Texts = {
  error: 'Error',
  email: 'Correo electrónico',
  password: 'Contraseña',
  newPassword: 'Nueva contraseña',
  newPasswordHint: 'Al menos 8 caracteres.',
  phone: 'Número de teléfono',
  phoneHint: 'Con el prefijo del país, por ejemplo +34\u00a0612\u00a034\u00a056\u00a078.',
  code: 'Código',
  verifyEmail: {
    title: 'Confirme su correo electrónico',
    text: 'Confirme su dirección de correo electrónico con un solo clic.',
    button: 'Confirmar la dirección',
  },
  emailVerified: {
    title: 'Su correo electrónico está confirmado',
    text: 'Gracias. Puede cerrar esta página y volver a la aplicación.',
  },
  resetPassword: {
    title: 'Elija una nueva contraseña',
    text: 'Se cerrará su sesión en todos los dispositivos y podrá iniciar sesión con la nueva contraseña.',
    button: 'Guardar la contraseña',
  },
  passwordReset: {
    title: 'Se ha cambiado su contraseña',
    text: 'A partir de ahora, inicie sesión con la nueva contraseña.',
    link: 'Iniciar sesión',
  },
  forgotPassword: {
    title: '¿Ha olvidado su contraseña?',
    text: 'Introduzca su correo electrónico. Le enviaremos un enlace para elegir una nueva contraseña.',
    button: 'Enviar el enlace',
  },
  resetSent: {
    title: 'Revise su bandeja de entrada',
    text: 'Si existe una cuenta con esta dirección, le hemos enviado un correo. El enlace es válido durante una hora. Si no le llega nada, revise la carpeta de correo no deseado.',
  },
  signIn: {
    title: 'Iniciar sesión',
    button: 'Iniciar sesión',
    forgot: '¿Ha olvidado su contraseña?',
    byPhone: 'Iniciar sesión con el teléfono',
    byEmail: 'Iniciar sesión con el correo electrónico',
    again: 'Empezar de nuevo',
  },
  phoneSignIn: {
    title: 'Iniciar sesión con el teléfono',
    text: 'Le enviaremos un código.',
    button: 'Enviar el código',
  },
  phoneCode: {
    title: 'Introduzca el código',
    text: (number) =>
      `Si existe una cuenta con el número ${number}, le hemos enviado un código. Es válido durante 10 minutos.`,
    button: 'Iniciar sesión',
    resend: 'Enviar un código nuevo',
    otherNumber: 'Usar otro número',
  },
  secondStep: {
    title: 'Introduzca el código',
    text: 'Hemos enviado un código a su correo electrónico. Es válido durante 10 minutos.',
    appText: 'Abra su aplicación de autenticación e introduzca el código que muestra.',
    button: 'Iniciar sesión',
    resend: 'Enviar un código nuevo',
    resent: 'Hemos enviado un código nuevo. Los anteriores ya no son válidos.',
    recovery: 'Usar un código de recuperación',
    recoveryCode: 'Código de recuperación',
  },
  mistakes: {
    login: 'El correo electrónico o la contraseña no son correctos.',
    code: 'Este código es incorrecto o ha caducado. Compruébelo o solicite uno nuevo.',
    appCode: 'Este código es incorrecto o ya se ha usado. Compruébelo o espere al siguiente.',
    email: 'Introduzca un correo electrónico, por ejemplo nombre@example.com.',
    password: 'La contraseña debe tener entre 8 y 256 caracteres.',
    commonPassword: 'Esta contraseña es demasiado común. Elija otra.',
    phone: 'Introduzca un número con el prefijo del país, por ejemplo +34\u00a0612\u00a034\u00a056\u00a078.',
    tooMany: (seconds) => `Demasiados intentos. Espere ${seconds} s e inténtelo de nuevo.`,
  },
  problems: {
    link: {
      title: 'Este enlace ya no es válido',
      text: 'Ha caducado, ya se ha usado o está incompleto. Puede solicitar uno nuevo.',
      newLink: 'Solicitar un enlace nuevo',
    },
    verification: {
      title: 'Este enlace ya no es válido',
      text: 'Ha caducado, ya se ha usado o está incompleto. Si su dirección aún no está confirmada, inicie sesión en la aplicación y solicite allí un correo nuevo.',
    },
    signInExpired: {
      title: 'Este inicio de sesión ha caducado',
      text: 'Ha tardado demasiado o se han introducido demasiados códigos incorrectos. Empiece de nuevo.',
    },
    tooMany: {
      title: 'Demasiados intentos',
      text: (seconds) => `Espere ${seconds} s e inténtelo de nuevo.`,
    },
    suspended: {
      title: 'Esta cuenta está suspendida',
      text: 'Por el momento no puede iniciar sesión. Póngase en contacto con los responsables de la aplicación.',
    },
    formElsewhere: {
      title: 'Este formulario no se ha aceptado',
      text: 'No se envió desde esta página. Abra la página de nuevo y envíe el formulario desde allí.',
    },
    noProject: {
      title: 'No hay ninguna aplicación en esta dirección',
      text: 'Compruebe que el enlace esté completo, o abra la aplicación y empiece desde allí.',
    },
    notUnderstood: {
      title: 'Esta solicitud no es válida',
      text: 'Abra la aplicación y empiece de nuevo desde allí.',
    },
    notOnItsOwn: {
      title: 'Esta página no se puede abrir directamente',
      text: 'Forma parte de un inicio de sesión. Abra la aplicación y empiece de nuevo desde allí.',
    },
    noPhoneLogin: {
      title: 'El inicio de sesión por teléfono no está disponible',
      text: 'Abra la aplicación e inicie sesión de otra forma.',
    },
    tooManyCodes: {
      title: 'Demasiados códigos',
      text: 'Hoy se han enviado muchos códigos a esta cuenta y no se ha usado ninguno. Inténtelo de nuevo mañana.',
    },
    notSetUp: {
      title: 'Esto aún no está configurado',
      text: 'La aplicación todavía no puede enviar mensajes. Póngase en contacto con sus responsables.',
    },
    unavailable: { title: 'No disponible temporalmente', text: 'Inténtelo de nuevo en unos segundos.' },
    fault: {
      title: 'Se ha producido un error',
      text: 'El problema es nuestro. Inténtelo más tarde o póngase en contacto con los responsables de la aplicación.',
    },
    reference: 'Referencia',
  },
  setup: {
    title: 'Este inicio de sesión no está configurado por completo',
    noTarget:
      'Para desarrollo: no se ha indicado adónde ir después de iniciar sesión. Añada el parámetro redirect_uri a la dirección o establezca FRONTEND_URL en el proyecto.',
    targetNotAllowed:
      'Para desarrollo: redirect_uri no está en ninguno de los orígenes permitidos del proyecto. Añada su origen, exactamente como lo envía el navegador.',
    challenge:
      'Para desarrollo: code_challenge debe contener los 43 caracteres de un desafío S256 (PKCE), y code_challenge_method debe ser S256 u omitirse.',
    state: 'Para desarrollo: state puede tener 512 caracteres como máximo.',
  },
};
