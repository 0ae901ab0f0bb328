// @postgres newest
// @needs chromium
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type TestBrowser } from '../../support/browser.ts';
import { codeIn, linkIn } from '../../support/mail-server.ts';
import { looks, type Onlooker, onlooker } from './browser-look.ts';
import { exchange, type PageWorld, pageWorld, setUpAuthenticator } from './world.ts';

let w: PageWorld;
let browser: TestBrowser;
beforeAll(async () => {
  w = await pageWorld({}, { ENABLE_EMAIL_VERIFICATION: 'true', ENABLE_PHONE_LOGIN: 'true' });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  await w?.[Symbol.asyncDispose]();
});

const address = (name: string, more: Record<string, string> = {}) =>
  `${w.address}/auth-collections/${name}?${new URLSearchParams({ redirect_uri: `${w.appOrigin}/callback`, ...more }).toString()}`;

async function enter({ page }: Onlooker, fields: Record<string, string>, button: string): Promise<void> {
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole('button', { name: button, exact: true }).click();
}

const otherThan = (code: string) => (code === '000000' ? '111111' : '000000');

/** The browser is back at the app, which gets the token of whoever signed in. */
async function expectSignedIn({ page }: Onlooker, email: string): Promise<void> {
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  expect(page.url()).toMatch(new RegExp(`^${w.appOrigin}/callback\\?code=[\\w-]{43}$`));
  expect(await exchange(w.door, page.url())).toEqual({ status: 200, email });
}

describe.each(looks)('without script, $width, $colorScheme', (look) => {
  let eye: Onlooker;
  beforeAll(async () => {
    eye = await onlooker(browser, look);
  });

  test('from the mail to a confirmed address', async () => {
    const person = await w.newPerson();
    const link = linkIn(await w.mail.mailTo(person.email, 'Confirm'));
    await eye.page.goto(link);
    await eye.see('verify-email', 'Confirm your email address');
    await enter(eye, {}, 'Confirm address');
    await eye.see('verify-email-done', 'Your email address is confirmed');
    await eye.page.goto(link);
    await enter(eye, {}, 'Confirm address');
    await eye.see('verify-email-dead', 'This link no longer works');
  });

  test('from a forgotten password to a new one', async () => {
    const person = await w.newPerson();
    await eye.page.goto(address('login'));
    await eye.page.getByRole('link', { name: 'Forgot your password?' }).click();
    await eye.see('forgot-password', 'Forgot your password?');
    await enter(eye, { 'Email address': person.email }, 'Send link');
    await eye.see('forgot-password-sent', 'Check your inbox');
    const link = linkIn(await w.mail.mailTo(person.email, 'Reset'));
    await eye.page.goto(link);
    await eye.see('reset-password', 'Choose a new password');
    // Long enough for the browser, which counts in halves, and too short for the service.
    await enter(eye, { 'New password': '🐎🐎🐎🐎' }, 'Save password');
    await eye.see('reset-password-mistake', 'Choose a new password');
    await enter(eye, { 'New password': 'a better horse' }, 'Save password');
    await eye.see('reset-password-done', 'Your password has been changed');
    await eye.page.goto(link);
    await eye.see('reset-password-dead', 'This link no longer works');
  });

  test('from the app to a sign-in and back', async () => {
    const person = await w.newPerson();
    await eye.page.goto(address('login'));
    await eye.see('login', 'Sign in');
    await enter(eye, { 'Email address': person.email, Password: 'wrong horse' }, 'Sign in');
    await eye.see('login-mistake', 'Sign in');
    await enter(eye, { Password: person.password }, 'Sign in');
    await expectSignedIn(eye, person.email);
  });

  test('with a mailed code as the second step', async () => {
    const person = await w.newPerson();
    await w.configure({ ENABLE_2FA: 'true' });
    await eye.page.goto(address('login'));
    await enter(eye, { 'Email address': person.email, Password: person.password }, 'Sign in');
    await eye.see('second-step', 'Enter the code');
    const first = codeIn(await w.mail.mailTo(person.email, 'code'));
    await enter(eye, { Code: otherThan(first) }, 'Sign in');
    await eye.see('second-step-mistake', 'Enter the code');
    w.mail.forget();
    await enter(eye, {}, 'Send a new code');
    await eye.see('second-step-resent', 'Enter the code');
    const code = codeIn(await w.mail.mailTo(person.email, 'code'));
    await enter(eye, { Code: code }, 'Sign in');
    await expectSignedIn(eye, person.email);
    w.mail.forget();
    await eye.page.goto(address('login'));
    await enter(eye, { 'Email address': person.email, Password: person.password }, 'Sign in');
    const last = codeIn(await w.mail.mailTo(person.email, 'code'));
    for (let tries = 0; tries <= 5; tries += 1) await enter(eye, { Code: otherThan(last) }, 'Sign in');
    await eye.see('second-step-expired', 'This sign-in has expired');
    await w.configure({ ENABLE_2FA: 'false' });
  });

  test('with an authenticator app, and with a recovery code in its place', async () => {
    const person = await w.newPerson();
    const { codeAt, recoveryCodes } = await setUpAuthenticator(person);
    const first = { 'Email address': person.email, Password: person.password };
    await eye.page.goto(address('login'));
    await enter(eye, first, 'Sign in');
    await eye.see('second-step-app', 'Enter the code');
    await enter(eye, { Code: codeAt(30) }, 'Sign in');
    await expectSignedIn(eye, person.email);
    await eye.page.goto(address('login'));
    await enter(eye, first, 'Sign in');
    await eye.page.getByText('Use a recovery code').click();
    await eye.see('second-step-recovery', 'Enter the code');
    await eye.page.getByLabel('Recovery code').fill('wrong-wrong');
    await eye.page.getByLabel('Recovery code').press('Enter');
    await eye.see('second-step-recovery-mistake', 'Enter the code');
    await eye.page.getByLabel('Recovery code').fill(recoveryCodes[0]!);
    await eye.page.getByLabel('Recovery code').press('Enter');
    await expectSignedIn(eye, person.email);
  });

  test('with a phone', async () => {
    const person = await w.newPerson();
    await w.administer(`users/${person.id}`, { phone: person.phone });
    await eye.page.goto(address('login'));
    await eye.page.getByRole('link', { name: 'Sign in with your phone' }).click();
    await eye.see('phone', 'Sign in with your phone');
    await enter(eye, { 'Phone number': '12345' }, 'Send code');
    await eye.see('phone-mistake', 'Sign in with your phone');
    await enter(eye, { 'Phone number': person.phone }, 'Send code');
    await eye.see('phone-code', 'Enter the code');
    const code = codeIn(await w.mail.mailTo(person.email, 'code'));
    await enter(eye, { Code: otherThan(code) }, 'Sign in');
    await eye.see('phone-code-mistake', 'Enter the code');
    await enter(eye, { Code: code }, 'Sign in');
    await expectSignedIn(eye, person.email);
  });

  test('where something is missing or wrong', async () => {
    await eye.page.goto(`${w.address}/auth-collections/login`);
    await eye.see('not-set-up', 'This sign-in is not fully set up');
    await eye.page.goto(`${w.address}/auth-collections/pages/login`);
    await eye.see('not-on-its-own', 'This page cannot be opened directly');
    await eye.page.goto(`${w.t.url}/p/aaaaaaaaaaaa/auth-collections/login`);
    await eye.see('no-project', 'There is no app at this address');
  });
});

test.each(Object.entries({ de: 'Anmelden', fr: 'Connexion', es: 'Iniciar sesión' }))(
  'in %s, on a phone',
  async (lang, heading) => {
    const eye = await onlooker(browser, { width: 'phone', colorScheme: 'light' });
    await eye.page.goto(address('login', { lang }));
    await eye.see(`login-${lang}`, heading);
    for (const name of ['phone', 'forgot-password', 'verify-email', 'reset-password']) {
      await eye.page.goto(address(name, { lang, token: 'abc' }));
      await eye.see(`${name}-${lang}`, (await eye.page.locator('h1').textContent())!);
    }
  },
);

test('M1: a form on another site does not reach the service in a browser either', async () => {
  const { page } = await onlooker(browser, looks[0]!);
  const person = await w.newPerson();
  const fields = { email: person.email, password: person.password, redirect_uri: `${w.appOrigin}/callback` };
  const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`);
  await page.route('https://evil.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" action="${w.address}/auth-collections/pages/login">${inputs.join('')}<button>Win</button></form>`,
    }),
  );
  await page.goto('https://evil.example/');
  await page.getByRole('button', { name: 'Win' }).click();
  await page.getByRole('heading', { name: 'This form was not accepted' }).waitFor();
});

test('the policy of the page holds in a browser: a form that leads elsewhere is not followed', async () => {
  const { page } = await onlooker(browser, looks[0]!);
  const person = await w.newPerson();
  await w.configure({ VERIFICATION_SUCCESS_URL: 'https://www.example.com/verified' });
  await page.goto(linkIn(await w.mail.mailTo(person.email, 'Confirm')));
  // Where the project changes its mind between page and button, the browser knows only of the first target.
  await w.configure({ VERIFICATION_SUCCESS_URL: 'https://elsewhere.example/verified' });
  const refused = page.waitForEvent('console', (message) => message.text().includes('form-action'));
  await page.getByRole('button', { name: 'Confirm address' }).click({ noWaitAfter: true });
  expect((await refused).text()).toContain('violates the following Content Security Policy directive');
});
