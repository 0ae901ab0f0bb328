import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { setConfig } from '../../../src/features/control/projects/index.ts';
import { codeIn, linkIn, type Mail, tokenIn } from '../../support/mail-server.ts';
import {
  challengeOf,
  type FlowProject,
  flowProject,
  giveGatewayTo,
  logInAt,
  newPhone,
  signUpAt,
  textedCode,
  untilTried,
  verifyStep,
} from '../../support/people/actors.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { newEmail } from '../../support/people/people.ts';
import { Visitor } from '../../support/people/visitor.ts';

const t = useMailApp({ PUBLIC_URL: 'https://api.example.org' });

/** All mails to somebody, once nothing waits in the queue any more. */
async function mailsTo(email: string, project: FlowProject): Promise<Mail[]> {
  await untilTried(project);
  return t.mail.mails
    .filter(({ to }) => to.includes(email))
    .toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
}

async function resetMail({ door }: FlowProject, email: string): Promise<Mail> {
  await door.post('/auth-collections/forgot-password', { email });
  return t.mail.mailTo(email, 'Reset');
}

describe('OTP_LENGTH', () => {
  test.each([4, 10])('%i digits in mails and text messages, and no other number of them', async (length) => {
    const configs = { OTP_LENGTH: length, ENABLE_2FA: true, ENABLE_PHONE_LOGIN: true };
    const project = await flowProject(t, { configs });
    await giveGatewayTo(t, project);
    const person = await signUpAt(t, project);
    const challenge = await challengeOf(project.door, person);
    const code = codeIn(await t.mail.mailTo(person.email, 'code'));
    expect(code).toMatch(new RegExp(`^\\d{${length}}$`));
    for (const other of [code.slice(0, -1), `0${code}`]) {
      expect(await verifyStep(project.door, challenge, other)).toFailWith(400, 'invalid_code');
    }
    expect((await verifyStep(project.door, challenge, ` ${code} `)).status).toBe(200);
    const phone = newPhone();
    await person.me.post('/auth-collections/phone/send-code', { phone });
    const texted = await textedCode(t, phone);
    expect(texted).toHaveLength(length);
    expect((await person.me.post('/auth-collections/phone/verify', { phone, code: texted })).status).toBe(
      200,
    );
    await project.door.post('/auth-collections/phone/send-code', { phone });
    expect(await textedCode(t, phone)).toHaveLength(length);
  });

  test('6 where nothing is set', async () => {
    const project = await flowProject(t, { configs: { ENABLE_2FA: true } });
    const person = await signUpAt(t, project);
    await challengeOf(project.door, person);
    expect(codeIn(await t.mail.mailTo(person.email, 'code'))).toHaveLength(6);
  });
});

test('JWT_EXPIRY_MINUTES: the smallest and the largest that are taken make tokens that are good', async () => {
  for (const minutes of [1, 999_999_999]) {
    const project = await flowProject(t, { configs: { JWT_EXPIRY_MINUTES: minutes } });
    const person = await signUpAt(t, project);
    const login = await logInAt(project.door, person);
    expect(login.status, login.text).toBe(200);
    const { iat, exp } = decodeJwt(login.body.access_token);
    expect(exp! - iat!).toBe(minutes * 60);
    expect((await person.me.get('/auth-collections/user')).status).toBe(200);
    expect((await person.me.get('/auth-collections/sessions')).body.data).toHaveLength(2);
  }
});

test('ENABLE_2FA: off by default, and a token comes with the password; on, it does not', async () => {
  const [off, on] = [await flowProject(t), await flowProject(t, { configs: { ENABLE_2FA: true } })];
  for (const project of [off, on]) {
    const person = await signUpAt(t, project);
    const login = await logInAt(project.door, person);
    expect(login.body.access_token === undefined).toBe(project === on);
    expect((await person.me.get('/auth-collections/2fa')).body.data.email).toBe(project === on);
  }
});

describe('ENABLE_PHONE_LOGIN', () => {
  test('off by default: 403 for every number', async () => {
    const project = await flowProject(t);
    const person = await signUpAt(t, project);
    const phone = newPhone();
    await project.api.patch(`/auth-collections/users/${person.id}`, { phone });
    for (const [path, body] of [
      ['send-code', { phone }],
      ['send-code', { phone: newPhone() }],
      ['login', { phone, code: '000000' }],
    ] as const) {
      const reply = await project.door.post(`/auth-collections/phone/${path}`, body);
      expect(reply).toFailWith(403, 'flow_disabled');
    }
  });

  test('on: by text message where there is a gateway, else by mail, and by mail if asked for', async () => {
    for (const hasGateway of [true, false]) {
      const project = await flowProject(t, { configs: { ENABLE_PHONE_LOGIN: true } });
      if (hasGateway) await giveGatewayTo(t, project);
      const person = await signUpAt(t, project);
      const phone = newPhone();
      await project.api.patch(`/auth-collections/users/${person.id}`, { phone });
      const send = (more: object = {}) =>
        project.door.post('/auth-collections/phone/send-code', { phone, ...more });
      await send();
      const first = hasGateway
        ? await textedCode(t, phone)
        : codeIn(await t.mail.mailTo(person.email, 'Your code'));
      const logIn = (code: string) => project.door.post('/auth-collections/phone/login', { phone, code });
      expect((await logIn(first)).body.user.id).toBe(person.id);
      t.mail.forget();
      await send({ channel: 'email' });
      expect((await logIn(codeIn(await t.mail.mailTo(person.email, 'Your code')))).status).toBe(200);
      const bySms = await send({ channel: 'sms' });
      expect(bySms.body.error?.code).toBe(hasGateway ? undefined : 'sms_not_configured');
    }
  });
});

describe('SEND_WELCOME_EMAIL and ENABLE_EMAIL_VERIFICATION', () => {
  const expected: [boolean | undefined, boolean | undefined, string[]][] = [
    [undefined, undefined, ['Welcome to test']],
    [false, undefined, []],
    [true, true, ['Confirm your email address for test', 'Welcome to test']],
    [false, true, ['Confirm your email address for test']],
  ];
  test.each(expected)('welcome %s, verification %s: %j', async (welcome, verification, subjects) => {
    const configs = { SEND_WELCOME_EMAIL: welcome, ENABLE_EMAIL_VERIFICATION: verification };
    const project = await flowProject(t, { configs });
    const person = await signUpAt(t, project);
    expect((await mailsTo(person.email, project)).map(({ subject }) => subject)).toEqual(subjects);
    expect((await person.me.get('/auth-collections/user')).body.data.email_verified).toBe(false);
    const sent = await person.me.post('/auth-collections/verify-email/send');
    expect(sent.status, 'asked for by the user it is sent in any case').toBe(200);
  });

  test('a changed address is to be verified anew', async () => {
    const project = await flowProject(t, { configs: { ENABLE_EMAIL_VERIFICATION: true } });
    const person = await signUpAt(t, project);
    const verify = async (email: string) => {
      const token = tokenIn(await t.mail.mailTo(email, 'Confirm'));
      return project.door.post('/auth-collections/verify-email', { token });
    };
    await verify(person.email);
    const email = newEmail();
    const changed = await person.me.patch('/auth-collections/user', { email, password: person.password });
    expect(changed.body.data.email_verified).toBe(false);
    expect((await verify(email)).status).toBe(200);
    expect((await person.me.get('/auth-collections/user')).body.data.email_verified).toBe(true);
  });
});

describe('the addresses in mails', () => {
  const hosted = (project: FlowProject, page: string) =>
    `https://api.example.org/p/${project.ref}/auth-collections/${page}?token=`;
  const app = 'https://app.example.com';
  /** What is set, and what the links of the two mails start with; undefined: the hosted page. */
  const rows: [Record<string, string>, string | undefined, string | undefined][] = [
    [{}, undefined, undefined],
    [{ FRONTEND_URL: app }, `${app}?token=`, undefined],
    [{ VERIFICATION_URL: `${app}/verify` }, `${app}/verify?token=`, undefined],
    [{ FRONTEND_URL: 'https://no.example.com', VERIFICATION_URL: `${app}/v` }, `${app}/v?token=`, undefined],
    [{ VERIFICATION_URL: `${app}/v?lang=de` }, `${app}/v?lang=de&token=`, undefined],
    [{ VERIFICATION_URL: `${app}/#/verify` }, `${app}/#/verify?token=`, undefined],
    [{ PASSWORD_RESET_URL: `${app}/reset` }, undefined, `${app}/reset?token=`],
    [{ PASSWORD_RESET_URL: `${app}/r?a=1&b=2` }, undefined, `${app}/r?a=1&b=2&token=`],
    [{ PASSWORD_RESET_URL: `${app}/#/reset`, FRONTEND_URL: app }, `${app}?token=`, `${app}/#/reset?token=`],
  ];
  test.each(rows)('%j', async (configs, verification, reset) => {
    const project = await flowProject(t, { configs: { ENABLE_EMAIL_VERIFICATION: true, ...configs } });
    const { email } = await signUpAt(t, project);
    for (const [mail, start] of [
      [await t.mail.mailTo(email, 'Confirm'), verification ?? hosted(project, 'verify-email')],
      [await resetMail(project, email), reset ?? hosted(project, 'reset-password')],
    ] as const) {
      const link = linkIn(mail);
      expect(link.slice(0, start.length)).toBe(start);
      expect(link.slice(start.length)).toMatch(/^[\w-]{43}$/);
    }
  });

  const logins: [Record<string, string>, string | undefined][] = [
    [{}, undefined],
    [{ LOGIN_URL: `${app}/login` }, `${app}/login`],
    [{ FRONTEND_URL: app }, app],
    [{ FRONTEND_URL: app, LOGIN_URL: `${app}/login?x=1&y=2` }, `${app}/login?x=1&y=2`],
  ];
  test.each(logins)('LOGIN_URL in welcome and reset mails: %j', async (configs, address) => {
    const project = await flowProject(t, { configs: { SEND_WELCOME_EMAIL: true, ...configs } });
    const { email } = await signUpAt(t, project);
    for (const mail of [await t.mail.mailTo(email, 'Welcome'), await resetMail(project, email)]) {
      const lines = mail.text.split('\n');
      if (address === undefined) expect(mail.text).not.toContain(app);
      else expect(lines).toContain(address);
      if (configs.FRONTEND_URL) expect(lines).toContain(configs.FRONTEND_URL);
    }
  });

  test('VERIFICATION_SUCCESS_URL: the hosted page leads there; without it, it says that the address is confirmed', async () => {
    const target = `${app}/verified?from=mail`;
    for (const configs of [{ VERIFICATION_SUCCESS_URL: target }, {}]) {
      const project = await flowProject(t, { configs: { ENABLE_EMAIL_VERIFICATION: true, ...configs } });
      const person = await signUpAt(t, project);
      const token = tokenIn(await t.mail.mailTo(person.email, 'Confirm'));
      const visitor = new Visitor(project.door.baseUrl);
      const page = await visitor.open(`verify-email?token=${token}`);
      expect(
        (await person.me.get('/auth-collections/user')).body.data.email_verified,
        'by a look alone',
      ).toBe(false);
      const answer = await visitor.send(page);
      const isSet = 'VERIFICATION_SUCCESS_URL' in configs;
      expect([answer.status, answer.headers.location]).toEqual(isSet ? [303, target] : [200, undefined]);
      expect((await person.me.get('/auth-collections/user')).body.data.email_verified).toBe(true);
    }
  });

  const odd: Record<string, string> = {
    'a blank': 'https://app.example.com/a b',
    'a line end': 'https://app.example.com/\r\nBcc: x@example.com',
    'a tab': 'https://app.example.com/\t',
    'a turn of direction': 'https://app.example.com/\u202egpj.exe',
    'U+0000': 'https://app.example.com/\u0000',
    'a blank before it': ' https://app.example.com',
    quotes: 'https://app.example.com/"onclick="x',
    markup: 'https://app.example.com/<b>',
    'a placeholder': 'https://app.example.com/{{link}}',
    'thousands of letters': `https://app.example.com/${'x'.repeat(3000)}`,
  };
  const keys = ['VERIFICATION_URL', 'LOGIN_URL', 'PASSWORD_RESET_URL'];
  test.each(Object.keys(odd))(
    'M4: an address with %s is refused, or the mails with it arrive',
    async (what) => {
      for (const key of keys) {
        const project = await flowProject(t, {
          configs: { ENABLE_EMAIL_VERIFICATION: true, SEND_WELCOME_EMAIL: true },
        });
        const isTaken = await setConfig(t.control, project.ref, key, odd[what]!).then(
          () => true,
          () => false,
        );
        if (!isTaken) continue;
        const { email } = await signUpAt(t, project);
        await project.door.post('/auth-collections/forgot-password', { email });
        const mails = await mailsTo(email, project);
        expect
          .soft(
            mails.map(({ subject }) => subject.split(' ')[0]),
            key,
          )
          .toEqual(['Confirm', 'Reset', 'Welcome']);
        for (const { html, headers } of mails) {
          expect(headers).not.toHaveProperty('bcc');
          expect(html).not.toMatch(/<b>|"onclick=/);
        }
      }
    },
  );
});

test('ALLOWED_SELF_ROLES: null lets any role be claimed; a list only its own, at sign-up and afterwards', async () => {
  const open = await flowProject(t);
  const listed = await flowProject(t, { configs: { ALLOWED_SELF_ROLES: 'reader, editor' } });
  const signUp = ({ door }: FlowProject, role: string) =>
    door.post('/auth-collections/signup', { email: newEmail(), password: 'correct horse', role });
  expect((await signUp(open, 'admin')).body.user.role).toBe('admin');
  for (const role of ['reader', 'editor']) expect((await signUp(listed, role)).status).toBe(201);
  for (const role of ['admin', 'Reader', ' reader', 'reader,editor', 'reader, editor']) {
    const reply = await signUp(listed, role);
    expect(reply).toFailWith(403, 'role_not_allowed');
  }
  const person = await signUpAt(t, listed);
  expect((await person.me.patch('/auth-collections/user', { role: 'admin' })).status).toBe(403);
  expect((await person.me.patch('/auth-collections/user', { role: 'editor' })).body.data.role).toBe('editor');
});
