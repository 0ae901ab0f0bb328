import type { RouteRow } from './route-row.ts';

/** A call that says something wrong, or asks for mail where there is none: who may make it is what counts here. */
const anyone = (body: unknown, status = 400): RouteRow => ({ access: 'anyone', status, body: () => body });
const user = (body?: unknown, status = 400): RouteRow => ({
  access: 'user',
  status,
  ...(body !== undefined && { body: () => body }),
});
const server = (body?: unknown, status = 200): RouteRow => ({
  access: 'server',
  status,
  ...(body !== undefined && { body: () => body }),
});
const phone = '+15551234567';
const text = { subject: 'Hello', body: 'Good to have you.' };

/** The rows of sign-in flows and mail templates. */
export const flowRoutes: Readonly<Record<string, RouteRow>> = {
  'GET /auth-collections/sessions': user(undefined, 200),
  'DELETE /auth-collections/sessions/:id': user(undefined, 404),
  'POST /auth-collections/verify-email/send': user(),
  'POST /auth-collections/verify-email': anyone({ token: 'x' }),
  'POST /auth-collections/forgot-password': anyone({ email: 'a@example.com' }),
  'POST /auth-collections/reset-password': anyone({ token: 'x', new_password: 'another horse' }),
  'POST /auth-collections/2fa/verify': anyone({ challenge: 'x', code: '123456' }),
  'POST /auth-collections/2fa/resend': anyone({ challenge: 'x' }),
  'POST /auth-collections/exchange': anyone({ code: 'x', redirect_uri: 'https://app.example.com/' }),
  'POST /auth-collections/phone/send-code': anyone({ phone }, 403),
  'POST /auth-collections/phone/login': anyone({ phone, code: '123456' }, 403),
  'POST /auth-collections/phone/verify': user({ phone, code: '123456' }, 403),
  'GET /auth-collections/2fa': user(undefined, 200),
  'POST /auth-collections/2fa/enable': user(undefined, 403),
  'POST /auth-collections/2fa/disable': user(undefined, 403),
  'POST /auth-collections/2fa/totp/setup': user({ password: 'wrong password' }),
  'POST /auth-collections/2fa/totp/confirm': user({ code: '123456' }),
  'POST /auth-collections/2fa/totp/remove': user({ code: '123456', password: 'wrong password' }),
  'POST /auth-collections/2fa/recovery-codes': user({ code: '123456', password: 'wrong password' }),
  'GET /auth-collections/templates': server(),
  'PUT /auth-collections/templates/:name/:language': server(text),
  'DELETE /auth-collections/templates/:name/:language': server(),
  'POST /auth-collections/templates/:name/:language/preview': server(text),
  'POST /auth-collections/templates/:name/:language/test': server({ to: 'a@example.com' }, 400),
};
