import { networkOf } from '../../platform/http/network-of.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { Login } from '../app-users/index.ts';
import { canMail, deviceName } from '../messages/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { mailUser } from './mail-user.ts';
import type { AuthFlowServices } from './services.ts';
import { noteDevices } from './store.ts';

/** Notes where a sign-in comes from, and tells the user by mail if it is a device or a part of the net not seen before. */
export async function noteSignIn(
  services: AuthFlowServices,
  context: RequestContext,
  { user, method }: Login,
): Promise<void> {
  const { address, userAgent, languages } = context.from;
  // Versions change every few weeks, and addresses every day: neither makes a new device.
  const marks = [`device ${userAgent.replace(/[\d._]+/g, '')}`, `network ${providerOf(address)}`].map(
    (text) => sha256(`${user.id} ${text}`),
  );
  const { isFirst, isNew } = await noteDevices(context.db, user.id, marks);
  if (isFirst || !isNew || method === 'sign-up') return;
  if (!(await canMail(services.messages, context.project))) return;
  const device = deviceName(userAgent);
  await mailUser(services, context, user, {
    template: 'new-device',
    languages,
    variables: { time: new Date().toISOString(), address, ...(device !== undefined && { device }) },
  });
}

/** About one provider of access: half of an IPv4 address, the first 32 bits of an IPv6 one. */
function providerOf(address: string): string {
  const network = networkOf(address.replace(/^::ffff:/, ''));
  return network.includes(':') ? network.split(':', 2).join(':') : network.split('.', 2).join('.');
}
