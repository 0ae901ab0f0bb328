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
    text: 'Un clic, y sabremos que esta dirección es suya.',
    button: 'Confirmar la dirección',
  },
  emailVerified: {
    title: 'Su correo electrónico está confirmado',
    text: 'Gracias. Puede cerrar esta página y volver a la aplicación.',
  },
  resetPassword: {
    title: 'Elija una nueva contraseña',
    text: 'Después se cerrará su sesión en todas partes y entrará con la nueva contraseña.',
    button: 'Guardar la contraseña',
  },
  passwordReset: {
    title: 'Su contraseña ha cambiado',
    text: 'A partir de ahora, inicie sesión con la nueva contraseña.',
    link: 'Iniciar sesión',
  },
  forgotPassword: {
    title: '¿Ha olvidado su contraseña?',
    text: 'Escriba su correo electrónico. Le enviaremos un enlace para elegir una nueva contraseña.',
    button: 'Enviar el enlace',
  },
  resetSent: {
    title: 'Mire su buzón de correo',
    text: 'Si hay una cuenta con esta dirección, un correo está en camino. Su enlace vale durante una hora. Si no llega nada, mire en el correo no deseado.',
  },
  signIn: {
    title: 'Iniciar sesión',
    button: 'Iniciar sesión',
    forgot: '¿Ha olvidado su contraseña?',
    byPhone: 'Entrar con el teléfono',
    byEmail: 'Entrar con el correo electrónico',
    again: 'Empezar de nuevo',
  },
  phoneSignIn: {
    title: 'Entrar con el teléfono',
    text: 'Le enviaremos un código.',
    button: 'Enviar el código',
  },
  phoneCode: {
    title: 'Escriba el código',
    text: (number) =>
      `Si hay una cuenta con el número ${number}, un código está en camino. Vale durante 10 minutos.`,
    button: 'Iniciar sesión',
    resend: 'Enviar un código nuevo',
    otherNumber: 'Usar otro número',
  },
  secondStep: {
    title: 'Escriba el código',
    text: 'Hemos enviado un código a su correo electrónico. Vale durante 10 minutos.',
    appText: 'Abra su aplicación de autenticación y escriba el código que muestra.',
    button: 'Iniciar sesión',
    resend: 'Enviar un código nuevo',
    resent: 'Un código nuevo está en camino. Los anteriores ya no valen.',
    recovery: 'Usar un código de recuperación',
    recoveryCode: 'Código de recuperación',
  },
  mistakes: {
    login: 'El correo electrónico o la contraseña no son correctos.',
    code: 'Este código no es correcto o ya no vale. Compruébelo o pida uno nuevo.',
    appCode: 'Este código no es correcto o ya se usó. Compruébelo o espere al siguiente.',
    email: 'Escriba un correo electrónico, por ejemplo nombre@example.com.',
    password: 'La contraseña debe tener de 8 a 256 caracteres.',
    commonPassword: 'Esta contraseña es de las primeras que cualquiera probaría. Elige otra.',
    phone: 'Escriba un número con el prefijo del país, por ejemplo +34\u00a0612\u00a034\u00a056\u00a078.',
    tooMany: (seconds) => `Demasiados intentos. Espere ${seconds} s e inténtelo de nuevo.`,
  },
  problems: {
    link: {
      title: 'Este enlace ya no vale',
      text: 'Ha caducado, ya se usó o no está completo. Pedir uno nuevo es rápido.',
      newLink: 'Pedir un enlace nuevo',
    },
    verification: {
      title: 'Este enlace ya no vale',
      text: 'Ha caducado, ya se usó o no está completo. Si su dirección aún no está confirmada, entre en la aplicación y pida allí un correo nuevo.',
    },
    signInExpired: {
      title: 'Este inicio de sesión ha caducado',
      text: 'Tardó demasiado, o demasiados códigos no eran correctos. Empiece de nuevo.',
    },
    tooMany: {
      title: 'Demasiados intentos',
      text: (seconds) => `Espere ${seconds} s e inténtelo de nuevo.`,
    },
    suspended: {
      title: 'Esta cuenta está suspendida',
      text: 'Por ahora nadie puede entrar con ella. Pregunte a los responsables de la aplicación.',
    },
    formElsewhere: {
      title: 'Este formulario no se ha aceptado',
      text: 'No venía de esta página. Abra la página de nuevo y envíe el formulario desde ella.',
    },
    noProject: {
      title: 'No hay ninguna aplicación en esta dirección',
      text: 'Compruebe que el enlace esté completo, o abra la aplicación y empiece desde ella.',
    },
    notUnderstood: {
      title: 'No se ha entendido',
      text: 'Abra la aplicación y empiece de nuevo desde ella.',
    },
    notOnItsOwn: {
      title: 'Este paso no se puede abrir por sí solo',
      text: 'Forma parte de un inicio de sesión. Abra la aplicación y empiece de nuevo desde ella.',
    },
    noPhoneLogin: {
      title: 'Aquí no se puede entrar con el teléfono',
      text: 'Abra la aplicación y entre de otra forma.',
    },
    tooManyCodes: {
      title: 'Demasiados códigos',
      text: 'Hoy se enviaron muchos códigos a esta cuenta y no se usó ninguno. Inténtelo de nuevo mañana.',
    },
    notSetUp: {
      title: 'Esto aún no está configurado',
      text: 'La aplicación todavía no puede enviar mensajes. Pregunte a sus responsables.',
    },
    unavailable: { title: 'No disponible por ahora', text: 'Inténtelo de nuevo en unos segundos.' },
    fault: {
      title: 'Algo ha fallado',
      text: 'El fallo es nuestro. Inténtelo más tarde o dígaselo a los responsables de la aplicación.',
    },
    reference: 'Referencia',
  },
  setup: {
    title: 'Este inicio de sesión no está del todo configurado',
    noTarget:
      'Para desarrollo: nada dice adónde ir después de iniciar sesión. Añada el parámetro redirect_uri a la dirección, o establezca FRONTEND_URL en el proyecto.',
    targetNotAllowed:
      'Para desarrollo: redirect_uri no está en ninguno de los orígenes permitidos del proyecto. Añada su origen, exactamente como lo escribe el navegador.',
    challenge:
      'Para desarrollo: code_challenge son los 43 caracteres de un reto S256 (PKCE), y code_challenge_method es S256 o falta.',
    state: 'Para desarrollo: state puede tener 512 caracteres como máximo.',
  },
};
