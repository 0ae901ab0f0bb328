import { setConfig, setProjectSecret } from '../../../src/features/control/projects/index.ts';
import { openVault } from '../../../src/platform/crypto/vault.ts';
import { type MailServer, startMailServer } from '../mail-server.ts';
import { type SmsGateway, startSmsGateway } from '../sms-gateway.ts';
import { type TestApp, testApp, testAppMembers } from '../test-app.ts';
import { type Members, useFixture } from '../use-fixture.ts';

export interface MailApp extends TestApp {
  readonly mail: MailServer;
  readonly sms: SmsGateway;
  /** Sets a configuration key of the first project, or of the second. */
  setKey(name: string, value: string | boolean | number, project?: 0 | 1): Promise<void>;
  /** Gives a project a gateway for text messages. */
  giveGateway(kind?: 'webhook' | 'twilio', project?: 0 | 1): Promise<void>;
}

/** A node whose mails go to a real SMTP server, and whose text messages to a gateway. */
export async function mailApp(overrides: Record<string, string> = {}): Promise<MailApp> {
  const mail = await startMailServer();
  const sms = await startSmsGateway();
  const t = await testApp({
    SMTP_URL: mail.url,
    MAIL_FROM: 'no-reply@plinth.example',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    ...overrides,
  });
  const vault = openVault(t.config);
  return {
    ...t,
    mail,
    sms,
    async setKey(name, value, project = 0) {
      await setConfig(t.control, t.projects[project].ref, name, String(value));
    },
    async giveGateway(kind = 'webhook', project = 0) {
      const { accountSid, authToken } = sms.twilio;
      const value =
        kind === 'webhook'
          ? { kind, url: sms.webhookUrl, secret: sms.webhookSecret }
          : { kind, account_sid: accountSid, auth_token: authToken, from: '+15005550006', base_url: sms.url };
      await setProjectSecret(t.control, vault, { ref: t.projects[project].ref, name: 'sms', value });
    },
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await mail[Symbol.asyncDispose]();
      await sms[Symbol.asyncDispose]();
    },
  };
}

const mailAppMembers: Members<MailApp> = {
  ...testAppMembers,
  mail: true,
  sms: true,
  setKey: true,
  giveGateway: true,
};

/** A node with mail for the tests of a file or a `describe`: opened before them, closed after them. */
export const useMailApp = (overrides?: Record<string, string>): MailApp =>
  useFixture(mailAppMembers, () => mailApp(overrides));
