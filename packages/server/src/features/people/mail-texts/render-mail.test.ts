import { describe, expect, test } from 'vitest';
import { renderMail } from './render-mail.ts';
import { type TemplateName, templateNames } from './templates.ts';
import { supportedLanguages } from './texts.ts';

const link = 'https://app.example.com/verify?lang=de&token=a_b-c';
const variables = {
  email: 'ada@example.com',
  name: 'Ada',
  frontend_url: 'https://app.example.com',
  login_url: 'https://app.example.com/login?from=mail&x=1',
  link,
  code: '407192',
  minutes: 10,
  hours: 24,
  time: '2026-05-06T14:05:09.000Z',
  device: 'Firefox, Windows',
  address: '203.0.113.7',
};
const appName = 'Orchard';
const render = (template: TemplateName, more: Record<string, string | undefined> = {}, project = appName) =>
  renderMail({ template, language: 'en', variables: { ...variables, ...more }, appName: project });

/** The addresses that links in HTML lead to, as a mail program reads them. */
const linksIn = (html: string) =>
  Array.from(html.matchAll(/href="([^"]*)"/g), ([, address]) => address!.replaceAll('&amp;', '&'));

const everyText = templateNames.flatMap((template) =>
  supportedLanguages.map((language) => ({ template, language })),
);

test.each(everyText)('$template in $language says all that it can', ({ template, language }) => {
  const { subject, html, text } = renderMail({ template, language, variables, appName });
  expect(`${subject}${html}${text}`).not.toMatch(/\{\{|\}\}|undefined|null|NaN/);
  expect(text).toContain(appName);
  if (template === 'sms-code') {
    expect({ subject, html }).toEqual({ subject: '', html: '' });
    return;
  }
  expect(subject).toContain(appName);
  expect(html).toContain(`<html lang="${language}"`);
  for (const part of [html, text]) expect(part).toContain('ada@example.com');
});

test.each(everyText)(
  '$template in $language does without what need not be there',
  ({ template, language }) => {
    const { email, code, minutes, hours, time } = variables;
    const few = { email, code, minutes, hours, time, link };
    const { subject, html, text } = renderMail({ template, language, variables: few, appName });
    expect(`${subject}${html}${text}`).not.toMatch(/\{\{|\}\}|undefined|null|NaN|\( ?\)| ,|\n\n\n/);
    expect(linksIn(html).every((address) => address === link)).toBe(true);
  },
);

test.each(supportedLanguages)('a text message in %s is one short one', (language) => {
  const { text } = renderMail({
    template: 'sms-code',
    language,
    variables: { ...variables, code: '4071926538' },
    appName: 'A project with a name of 36 letters',
  });
  // What fits into 160 characters of 7 bits; any other character halves it.
  expect(text).toMatch(/^[A-Za-z0-9 @£$¥èéùìòÇØøÅåÆæßÉ!"#%&'()*+,\-./:;<=>?¡ÄÖÑÜ§¿äöñüà]{1,160}$/);
  expect(text).toContain('4071926538');
});

describe('links and codes', () => {
  test('text and HTML carry the same link, whatever is in it', () => {
    for (const template of ['verification', 'password-reset'] as const) {
      const { html, text } = render(template);
      expect(text.split('\n')).toContain(link);
      expect(linksIn(html).filter((address) => address === link)).toHaveLength(2);
    }
    expect(linksIn(render('welcome').html)).toContain(variables.login_url);
  });

  test('a code is alone on its line, and in one piece in HTML', () => {
    const { html, text } = render('two-step-code');
    expect(text).toMatch(/\n\n407192\n\n/);
    expect(html).toContain('>407192</div>');
  });

  test('what is no address of the web becomes no link', () => {
    const { html } = render('welcome', {
      login_url: 'javascript:alert(1)',
      frontend_url: 'data:text/html,x',
    });
    expect(linksIn(html)).toEqual([]);
    expect(() => render('verification', { link: 'javascript:alert(1)' })).toThrow('needs a link');
    expect(() => render('sms-code', { code: undefined })).toThrow('needs a code');
  });

  test('times are in the words of the language', () => {
    const inLanguage = (language: 'en' | 'de') =>
      renderMail({ template: 'new-device', language, variables, appName }).text;
    expect(inLanguage('en')).toContain('Time: 6 May 2026 at 14:05 UTC');
    expect(inLanguage('de')).toContain('Zeit: 6. Mai 2026 um 14:05 UTC');
  });
});

describe('M4: what people write into names stays text', () => {
  const hostile = [
    '{{code}}',
    '{{{code}}}',
    '<b>bold</b>',
    '"><script>alert(1)</script>',
    '{{#lines}}{{/lines}}',
  ];

  test.each(hostile)('a project called %s', (name) => {
    const { subject, html, text } = render('two-step-code', {}, name);
    expect(text).toContain(`signing in to ${name},`);
    expect(subject).toContain(name);
    expect(html).not.toMatch(/<script|<b>/);
    expect(html.match(/407192/g)).toHaveLength(1);
  });

  test('a subject is one line, so it is one header', () => {
    const { subject, text } = render('verification', {}, 'Orchard\r\nBcc: all@example.com\u2028x\n\n123456');
    expect(subject).toBe('Confirm your email address for Orchard Bcc: all@example.com x 123456');
    expect(text).not.toMatch(/^(?:Bcc:|123456)/m);
    expect(render('welcome', {}, 'x'.repeat(400)).subject).toHaveLength(200);
    expect(render('welcome', {}, `x${'🍎'.repeat(200)}`).subject.isWellFormed()).toBe(true);
  });

  test('users are greeted by name only if it is one', () => {
    for (const name of ['{{link}}', 'win a prize at evil.example', '<img src=x>', 'Ada\n\n123456']) {
      const { text } = render('verification', { name });
      expect(text).toMatch(/^Hello,\n/);
    }
    expect(render('verification').text).toMatch(/^Hello Ada,\n/);
  });

  test('what a call says of its device is not passed on', () => {
    const { text } = render('new-device', { device: 'Mozilla/5.0 (evil.example)', address: 'evil.example' });
    expect(text).not.toMatch(/evil|Device:|IP address:/);
    expect(render('new-device').text).toContain('Device: Firefox, Windows\nIP address: 203.0.113.7\n');
  });
});

describe('a text of the project’s own', () => {
  const own = (replacement: { subject: string; body: string; html?: string }) =>
    renderMail({ template: 'verification', language: 'de', variables, appName: '<b>{{link}}', replacement });

  test('is used for the subject, the text and the HTML in the layout', () => {
    const body = 'Hi {{name}}\r\nand welcome\r\n\r\n{{ link }}\n \nSee {{frontend_url}}';
    const { subject, html, text } = own({ subject: '{{app_name}}: one step', body });
    expect(subject).toBe('<b>{{link}}: one step');
    expect(text).toMatch(/^Hi Ada\nand welcome\n\nhttps:\S+\n\nSee https:\/\/app.example.com\n\n-- \n/);
    expect(html).toContain('Hi Ada<br />and welcome');
    expect(html).toContain('Adresse bestätigen');
    expect(linksIn(html)).toContain(link);
  });

  test('has its own HTML, if it likes, with values escaped', () => {
    const html = '<p title="{{app_name}}">{{#name}}{{name}}{{/name}}</p><a href="{{link}}">Go</a>';
    const rendered = own({ subject: 'x', body: '{{link}}', html });
    expect(rendered.html).toBe(
      `<p title="&lt;b&gt;{{link}}">Ada</p><a href="${link.replaceAll('&', '&amp;')}">Go</a>`,
    );
    expect(rendered.text).toContain(link);
  });

  test('gets at nothing but the values of its template', () => {
    const body = '{{constructor}}{{toString}}{{name.constructor}}{{__proto__}}{{variables}}{{code}}.';
    expect(own({ subject: 'x', body }).text).toMatch(/^\.\n/);
  });
});
