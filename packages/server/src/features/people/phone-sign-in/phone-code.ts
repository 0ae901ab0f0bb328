import type { RequestContext } from '../../../calls/index.ts';
import { configOf } from '../../control/index.ts';
import { flowOff } from '../one-time-secrets/index.ts';

/** To sign in, or to set the phone of a user. */
export type PhonePurpose = 'phone-login' | 'phone-verify';

/** What is marked of a code: it works for its purpose and its number only. */
export const markTextOf = (purpose: PhonePurpose, phone: string, code: string) =>
  `${purpose} ${phone} ${code}`;

export function requirePhoneSignIn({ project }: RequestContext): void {
  if (!configOf(project).ENABLE_PHONE_LOGIN)
    throw flowOff('Login by phone', 'the configuration key ENABLE_PHONE_LOGIN');
}
