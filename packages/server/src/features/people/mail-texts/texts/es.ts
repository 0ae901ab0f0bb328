import type { TextSet } from './text-set.ts';

// The text message says "clave": with the accent of "código" it would be twice as long on the air.
export const es: TextSet = {
  buttonHint: 'Si el botón no funciona, copie esta dirección en su navegador:',
  footer:
    '{{app_name}} ha enviado este correo a {{email}} porque esta dirección se indicó allí para una cuenta.',
  templates: {
    verification: {
      subject: 'Confirme su dirección de correo para {{app_name}}',
      button: 'Confirmar dirección',
      body: `Hola{{#name}}, {{name}}{{/name}}:

Confirme que {{email}} es su dirección de correo electrónico para poder usarla en {{app_name}}.

{{link}}

El enlace es válido durante {{hours}} horas y solo se puede usar una vez.

Si este correo no tiene que ver con usted, es probable que alguien se haya equivocado al escribir su dirección. Puede ignorar este correo; en ese caso, la dirección quedará sin confirmar.`,
    },
    welcome: {
      subject: 'Le damos la bienvenida a {{app_name}}',
      button: 'Iniciar sesión',
      body: `Hola{{#name}}, {{name}}{{/name}}:

Su cuenta de {{app_name}} está lista. Para iniciar sesión, use esta dirección de correo: {{email}}

{{login_url}}

Si usted no ha creado esta cuenta, otra persona ha indicado su dirección. No tiene que hacer nada.`,
    },
    'password-reset': {
      subject: 'Restablezca su contraseña de {{app_name}}',
      button: 'Elegir una contraseña nueva',
      body: `Hola{{#name}}, {{name}}{{/name}}:

Se ha solicitado restablecer la contraseña de su cuenta de {{app_name}} ({{email}}). Puede elegir una nueva aquí:

{{link}}

El enlace es válido durante {{minutes}} minutos y solo se puede usar una vez. Mientras no elija una contraseña nueva, la anterior seguirá siendo válida.

Si usted no lo ha solicitado, puede ignorar este correo. Nadie puede cambiar su contraseña sin el enlace de arriba, así que no lo comparta.

{{#login_url}}Si al final recuerda su contraseña, inicie sesión como siempre:{{/login_url}}

{{login_url}}`,
    },
    'password-changed': {
      subject: 'Se ha cambiado su contraseña de {{app_name}}',
      body: `Hola{{#name}}, {{name}}{{/name}}:

La contraseña de su cuenta de {{app_name}} ({{email}}) se cambió el {{time}}{{#device}} ({{device}}){{/device}}. Se ha cerrado la sesión en los dispositivos donde estaba abierta.

Si fue usted, no tiene que hacer nada más.

Si no fue usted, otra persona tiene acceso a su cuenta. Restablezca su contraseña de inmediato: elija «He olvidado mi contraseña» al iniciar sesión. Si usa la misma contraseña en su cuenta de correo, cámbiela también allí.

{{login_url}}`,
    },
    'two-step-code': {
      subject: 'Su código de acceso a {{app_name}}',
      body: `Hola{{#name}}, {{name}}{{/name}}:

Para terminar de iniciar sesión en {{app_name}}, introduzca este código:

{{code}}

El código es válido durante {{minutes}} minutos y solo se puede usar una vez. No lo comparta: nadie de {{app_name}} se lo pedirá.

Si no está iniciando sesión en este momento, otra persona conoce su contraseña. Cámbiela cuanto antes.`,
    },
    'phone-code': {
      subject: 'Su código para {{app_name}}',
      body: `Hola{{#name}}, {{name}}{{/name}}:

Para continuar con su número de teléfono en {{app_name}}, introduzca este código:

{{code}}

El código es válido durante {{minutes}} minutos y solo se puede usar una vez. No lo comparta: nadie de {{app_name}} se lo pedirá.

Si usted no ha solicitado ningún código, puede ignorar este correo. Sin él, nadie puede iniciar sesión.`,
    },
    'sms-code': {
      body: '{{code}} es su clave para {{app_name}}. Vale durante {{minutes}} minutos. No la comparta.',
    },
    'new-device': {
      subject: 'Nuevo inicio de sesión en {{app_name}}',
      body: `Hola{{#name}}, {{name}}{{/name}}:

Alguien ha iniciado sesión en su cuenta de {{app_name}} ({{email}}) desde un dispositivo que no se había usado antes allí.

Fecha: {{time}}
{{#device}}Dispositivo: {{device}}{{/device}}
{{#address}}Dirección IP: {{address}}{{/address}}

Si fue usted, no tiene que hacer nada.

Si no fue usted, otra persona conoce su contraseña. Inicie sesión y cámbiela de inmediato; así se cerrará la sesión en todos los demás dispositivos.

{{login_url}}`,
    },
  },
};
