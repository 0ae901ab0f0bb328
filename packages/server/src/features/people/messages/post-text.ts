import { createHmac } from 'node:crypto';
import type { Project } from '../../../calls/index.ts';
import { keepInFolder } from '../dev-mailbox/index.ts';
import type { DeliveryDeps } from './deps.ts';
import { DeliveryError } from './explain-failure.ts';
import { findSmsSettings, type SmsSettings } from './settings.ts';

interface ReadyText {
  readonly to: string;
  readonly text: string;
  /** The job's name, by which a gateway can tell a repeated call. */
  readonly key: string;
}

const twilio = 'https://api.twilio.com';

/** Hands a text message to the project's gateway; returns once the gateway has accepted it. */
export async function postText(deps: DeliveryDeps, project: Project, text: ReadyText): Promise<void> {
  const settings = await findSmsSettings(deps.secrets, project);
  const { folder } = deps.server;
  if (settings) {
    const { url, headers, body } =
      settings.kind === 'webhook' ? webhookCall(settings, text) : twilioCall(settings, text);
    const response = await deps.outbound.fetch(url, { method: 'POST', headers, body });
    await response.body?.cancel();
    if (!response.ok) throw new DeliveryError(`The text message gateway returned ${response.status}.`);
  } else if (folder !== undefined) {
    await keepInFolder(folder, project, { kind: 'text message', subject: '', ...text });
  } else {
    throw new DeliveryError(`No text message gateway is configured for project ${project.ref}.`);
  }
}

interface GatewayCall {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

function webhookCall(
  { url, secret }: Extract<SmsSettings, { kind: 'webhook' }>,
  { to, text, key }: ReadyText,
): GatewayCall {
  const body = JSON.stringify({ to, text, id: key });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return {
    url,
    body,
    headers: { 'Content-Type': 'application/json', 'X-Plinth-Signature': `sha256=${signature}` },
  };
}

function twilioCall(
  settings: Extract<SmsSettings, { kind: 'twilio' }>,
  { to, text }: ReadyText,
): GatewayCall {
  const { account_sid: sid, auth_token: token, from, base_url: base = twilio } = settings;
  return {
    url: `${base.replace(/\/$/, '')}/2010-04-01/Accounts/${sid}/Messages.json`,
    body: new URLSearchParams({ To: to, From: from, Body: text }).toString(),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`,
    },
  };
}
