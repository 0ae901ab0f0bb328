import { expect, test } from 'vitest';
import { deviceName } from '../../../platform/http/device-name.ts';
import { safeName } from './safe-name.ts';

test.each([
  'Ada',
  'Ada Lovelace',
  ' Jean-Luc ',
  'O’Brien',
  "D'Angelo, Jr.",
  'Dr. Müller',
  'Ελένη',
  '李小龍',
  'अनिता',
  'Louis 14',
  'e\u0301milie',
])('%s is a name', (name) => {
  expect(safeName(name)).toBe(name.normalize('NFC').trim());
});

test.each([
  undefined,
  null,
  7,
  {},
  ['Ada'],
  '',
  '   ',
  '1234',
  'x'.repeat(61),
  'evil.example',
  'J.R.R. Tolkien',
  'Visit evil. example/now',
  'https: you won',
  'ada@example.com',
  'Ada\nLovelace',
  'Ada\u202eevil',
  '{{code}}',
  '<b>Ada</b>',
  'call 0043 1234567',
  'evil。example',
  'a\u200b.b',
])('M4: %s is not taken for a name', (value) => {
  expect(safeName(value)).toBeUndefined();
});

const mozilla = 'Mozilla/5.0';
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox, Linux'],
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`,
    'Edge, Windows',
  ],
  [`${mozilla} (Linux; Android 10; K) ${webkit} Chrome/140.0 Mobile Safari/537.36`, 'Chrome, Android'],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webkit} Version/18.0 Mobile Safari/604.1`,
    'Safari, iPhone',
  ],
  [`${mozilla} (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.0 Safari/605.1`, 'Safari, macOS'],
  ['curl/8.0', undefined],
  ['You won a prize: evil.example', undefined],
  [undefined, undefined],
])('a device is called by words of ours: %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
  expect(safeName(name)).toBe(name);
});
