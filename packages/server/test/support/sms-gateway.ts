import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { Arrivals } from './arrivals.ts';

interface Sms {
  readonly form: 'webhook' | 'twilio';
  readonly to: string;
  readonly text: string;
  /** Of Twilio's form: who sends. */
  readonly from?: string;
  /** Of the webhook's form: what tells a repetition from another message. */
  readonly id?: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawBody: string;
}

export interface SmsGateway extends AsyncDisposable {
  readonly url: string;
  readonly webhookUrl: string;
  /** What Twilio's form takes; the webhook's signature is checked with `webhookSecret`. */
  readonly twilio: { readonly accountSid: string; readonly authToken: string };
  readonly webhookSecret: string;
  readonly messages: readonly Sms[];
  /** The first that fits, of those that are here or within the limit will be. */
  until(fits: (message: Sms) => boolean, limitMs?: number): Promise<Sms>;
  messageTo(number: string): Promise<Sms>;
  /** Forgets what arrived, so that the next wait is for something new. */
  forget(): void;
  /** Answers the next messages with a failure, and does not keep them. */
  failNext(count: number, status: number): void;
  /** How many messages were sent, whatever was answered. */
  readonly attempts: number;
}

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly message?: Sms;
}

/** A gateway for text messages on the loopback interface, which speaks both forms that are in use. */
export async function startSmsGateway(): Promise<SmsGateway> {
  const arrivals = new Arrivals<Sms>(({ to, text }) => `"${text}" to ${to}`);
  const twilio = {
    accountSid: `AC${randomBytes(16).toString('hex')}`,
    authToken: randomBytes(16).toString('hex'),
  };
  const webhookSecret = randomBytes(16).toString('hex');
  const failures: number[] = [];
  let attempts = 0;

  const answerTo = (request: IncomingMessage, rawBody: string): Answer => {
    const told = { headers: request.headers, rawBody };
    if (request.method !== 'POST') return { status: 405, body: {} };
    if (request.url === '/webhook') return readWebhook(told, webhookSecret);
    if (request.url === `/2010-04-01/Accounts/${twilio.accountSid}/Messages.json`) {
      return readTwilio(told, twilio);
    }
    return { status: 404, body: { code: 20404, message: 'The requested resource was not found' } };
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const rawBody = await textOf(request);
    attempts += 1;
    const failure = failures.shift();
    const { status, body, message } =
      failure === undefined ? answerTo(request, rawBody) : { status: failure, body: { message: 'No' } };
    if (message) arrivals.add(message);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    url,
    webhookUrl: `${url}/webhook`,
    twilio,
    webhookSecret,
    messages: arrivals.items,
    get attempts() {
      return attempts;
    },
    until: (fits, limitMs) => arrivals.until(fits, limitMs),
    messageTo: (number) => arrivals.until(({ to }) => to === number),
    forget: () => arrivals.forget(),
    failNext(count, status) {
      for (let index = 0; index < count; index += 1) failures.push(status);
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

type Told = Pick<Sms, 'headers' | 'rawBody'>;

function readWebhook(told: Told, secret: string): Answer {
  const signature = `sha256=${createHmac('sha256', secret).update(told.rawBody).digest('hex')}`;
  if (told.headers['x-plinth-signature'] !== signature) return { status: 401, body: {} };
  const { to, text, id } = JSON.parse(told.rawBody) as { to: string; text: string; id: string };
  return { status: 200, body: {}, message: { form: 'webhook', to, text, id, ...told } };
}

function readTwilio(told: Told, { accountSid, authToken }: SmsGateway['twilio']): Answer {
  const wanted = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  if (told.headers.authorization !== wanted) {
    return { status: 401, body: { code: 20003, message: 'Authenticate' } };
  }
  const form = new URLSearchParams(told.rawBody);
  const [to, from, text] = [form.get('To'), form.get('From'), form.get('Body')];
  if (!to || !from || !text) return { status: 400, body: { code: 21604, message: 'A field is missing' } };
  return {
    status: 201,
    body: { sid: `SM${randomBytes(16).toString('hex')}`, status: 'queued' },
    message: { form: 'twilio', to, from, text, ...told },
  };
}
