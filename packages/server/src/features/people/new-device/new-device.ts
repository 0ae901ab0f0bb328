import type { RequestContext } from '../../../calls/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import { deviceName } from '../../../platform/http/device-name.ts';
import { networkOf } from '../../../platform/http/network-of.ts';
import { canMail, type MessageDeps, mailUser } from '../messages/index.ts';
import type { SignIn } from '../user-records/index.ts';
import { noteDevices } from './store.ts';

/** Notes where a sign-in comes from, and mails the user if the device or the part of the net is new. */
export async function noteSignIn(
  { messages }: { readonly messages: MessageDeps },
  context: RequestContext,
  { user, method }: SignIn,
): Promise<void> {
  const { address, userAgent, languages } = context.from;
  // Versions change every few weeks, and addresses every day: neither makes a new device.
  const marks = [`device ${userAgent.replace(/[\d._]+/g, '')}`, `network ${providerOf(address)}`].map(
    (text) => sha256(`${user.id} ${text}`),
  );
  const { isFirst, isNew } = await noteDevices(context.db, user.id, marks);
  if (isFirst || !isNew || method === 'sign-up') return;
  if (!(await canMail(messages, context.project))) return;
  const device = deviceName(userAgent);
  await mailUser(messages, context, user, {
    template: 'new-device',
    languages,
    variables: { time: new Date().toISOString(), address, ...(device !== undefined && { device }) },
  });
}

/** Roughly one internet provider: half of an IPv4 address, the first 32 bits of an IPv6 one. */
function providerOf(address: string): string {
  const network = networkOf(address.replace(/^::ffff:/, ''));
  return network.includes(':') ? network.split(':', 2).join(':') : network.split('.', 2).join('.');
}
