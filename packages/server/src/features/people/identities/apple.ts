import { importPKCS8, SignJWT } from 'jose';
import type { ProviderSettings } from './provider-settings.ts';

/** Apple gives no client secret but a key: the secret is a statement signed with it, made for each call. */
export async function createClientSecret(
  { client_id: clientId, team_id: teamId = '', key_id: keyId = '', private_key: pem = '' }: ProviderSettings,
  issuer: string,
): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt()
    .setExpirationTime('5 minutes')
    .sign(await importPKCS8(pem, 'ES256'));
}
