import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IdentityProvider } from '../support/identity-provider.ts';
import type { MailServer } from '../support/mail-server.ts';
import type { SmsGateway } from '../support/sms-gateway.ts';

interface Services {
  readonly mail: MailServer;
  readonly sms: SmsGateway;
  readonly provider: IdentityProvider;
}

/** The settings that the examples read from files: of the form that the pages show, but of services of this machine. */
export async function writeSampleSettings(folder: string, { mail, sms, provider }: Services): Promise<void> {
  const { hostname, port } = new URL(mail.url);
  const client = { client_id: provider.clientId, client_secret: provider.clientSecret };
  const settings = {
    mail: { host: hostname, port: Number(port), tls: 'none', from: 'hello@books.example' },
    sms: { kind: 'webhook', url: sms.webhookUrl, secret: sms.webhookSecret },
    google: client,
    acme: { issuer: provider.issuer, ...client },
  };
  for (const [name, value] of Object.entries(settings)) {
    await writeFile(join(folder, `${name}.json`), JSON.stringify(value));
  }
}

/** A private key as Apple gives it. */
export function newAppleKey(): string {
  return generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
}
