// @postgres newest
import { beforeAll, expect, test } from 'vitest';
import {
  type FlowProject,
  flowProject,
  giveGatewayTo,
  newPhone,
  signUpAt,
  textedCode,
  untilTried,
} from '../../support/people/actors.ts';
import { useMailApp } from '../../support/people/mail-app.ts';

const t = useMailApp({ TRUST_PROXY: '127.0.0.1' });
let project: FlowProject;
beforeAll(async () => {
  project = await flowProject(t, { configs: { ENABLE_PHONE_LOGIN: 'true' } });
  await giveGatewayTo(t, project);
});

const call = (name: string, address: string, body: object) =>
  project.door.post(`/auth-collections/phone/${name}`, body, { headers: { 'x-forwarded-for': address } });

/** Asks for codes; says how many were granted. */
async function ask(phone: string, address: string, times = 1): Promise<number> {
  let granted = 0;
  for (let n = 0; n < times; n += 1) {
    const reply = await call('send-code', address, { phone });
    if (reply.status === 200) granted += 1;
    else expect(reply).toFailWith(429, 'too_many_codes');
  }
  return granted;
}

async function newOwner(): Promise<string> {
  const phone = newPhone();
  const { id } = await signUpAt(t, project);
  await project.api.patch(`/auth-collections/users/${id}`, { phone });
  return phone;
}

const textsTo = async (phone: string) => {
  await untilTried(project);
  return t.sms.messages.filter(({ to }) => to === phone).length;
};

const [home, cafe] = ['203.0.113.1', '203.0.113.2'];
const strangers = ['198.51.100.1', '198.51.100.2', '198.51.100.3'] as const;

test('minor: ten calls of a stranger do not shut a number’s owner out', async () => {
  const phone = await newOwner();
  expect(await ask(phone, strangers[0], 10)).toBe(5);
  expect(await textsTo(phone)).toBe(5);
  t.sms.forget();
  expect(await ask(phone, cafe)).toBe(1);
  const code = await textedCode(t, phone);
  expect((await call('login', cafe, { phone, code })).status).toBe(200);
});

test('minor: where its owner has signed in before, no number of strangers matters', async () => {
  const phone = await newOwner();
  expect(await ask(phone, home)).toBe(1);
  expect((await call('login', home, { phone, code: await textedCode(t, phone) })).status).toBe(200);
  let granted = 0;
  for (const stranger of strangers) granted += await ask(phone, stranger, 6);
  expect(granted).toBe(10);
  expect(await ask(phone, cafe)).toBe(0);
  expect(await textsTo(phone)).toBe(10);
  t.sms.forget();
  expect(await ask(phone, home)).toBe(1);
  expect((await call('login', home, { phone, code: await textedCode(t, phone) })).status).toBe(200);
});

test('minor: a number that nobody has is counted alike', async () => {
  expect(await ask(newPhone(), strangers[0], 10)).toBe(5);
});

test('minor: of many at once no more are granted', async () => {
  const phone = await newOwner();
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, n) => call('send-code', strangers[n % 3]!, { phone })),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(await textsTo(phone)).toBe(10);
});
