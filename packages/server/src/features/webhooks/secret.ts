import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A secret as Standard Webhooks writes it: 24 random bytes. */
export const newSecret = (): string => `${prefix}${randomBytes(24).toString('base64')}`;

/** What the vault seals it for. */
export const secretPlace = (projectId: string, webhook: string): string =>
  `secret of webhook ${webhook} of project ${projectId}`;

interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** The header that proves who sent it: one signature by each secret. */
export function signatureOf(secrets: readonly string[], { id, timestamp, body }: Signed): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');
}
