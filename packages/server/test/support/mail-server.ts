import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { Arrivals } from './arrivals.ts';

export interface Mail {
  /** Whom the envelope names. */
  readonly to: readonly string[];
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  /** By their names in small letters; of several with one name the last. */
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: string;
}

interface HeldDelivery {
  /** The mail, once all of it was sent; the sender is still without an answer then. */
  readonly arrived: Promise<Mail>;
  /** Answers the sender; only now is the mail among those that arrived. */
  release(): void;
}

interface MailServerOptions {
  /** Whoever does not log in like this can send nothing. */
  auth?: { user: string; pass: string };
  /** So many messages are refused first, with 451. */
  refuseFirst?: number;
  /** Is told of each message that is complete, also of those that are refused or held. */
  onData?: (mail: Mail) => void;
}

export interface MailServer extends AsyncDisposable {
  /** As SMTP_URL takes it. */
  readonly url: string;
  readonly mails: readonly Mail[];
  /** The first that fits, of those that are here or within the limit will be. */
  until(fits: (mail: Mail) => boolean, limitMs?: number): Promise<Mail>;
  mailTo(address: string, subjectPart?: string): Promise<Mail>;
  /** Forgets what arrived, so that the next wait is for something new. */
  forget(): void;
  /** Answers the next messages with a failure: below 500 the sender may try again. */
  refuseNext(count: number, status?: number): void;
  /** Refuses whatever goes to that address, until it is accepted again. */
  refuseTo(address: string): void;
  accept(address: string): void;
  /** Leaves the next message that is neither refused nor held without an answer. */
  holdNext(): HeldDelivery;
  /** How many messages were sent completely, whatever was answered. */
  readonly attempts: number;
}

interface Hold {
  readonly arrived: PromiseWithResolvers<Mail>;
  readonly released: PromiseWithResolvers<void>;
}

/** A real SMTP server on the loopback interface, which keeps what it is sent. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const arrivals = new Arrivals<Mail>(({ to, subject }) => `"${subject}" to ${to.join(', ')}`);
  const refusals: number[] = Array.from({ length: options.refuseFirst ?? 0 }, () => 451);
  const refusedAddresses = new Set<string>();
  const holds: Hold[] = [];
  let attempts = 0;

  const receive = async (raw: Buffer, session: SMTPServerSession): Promise<void> => {
    const mail = await parse(raw, session);
    attempts += 1;
    options.onData?.(mail);
    const status = refusals.shift();
    if (status !== undefined) throw refusal(status);
    if (mail.to.some((address) => refusedAddresses.has(address))) throw refusal(451);
    const hold = holds.shift();
    hold?.arrived.resolve(mail);
    await hold?.released.promise;
    arrivals.add(mail);
  };
  const server = new SMTPServer({
    ...fixedOptions,
    ...authentication(options.auth),
    onData(stream, session, answer) {
      buffer(stream)
        .then((raw) => receive(raw, session))
        .then(
          () => answer(),
          (error: Error) => answer(error),
        );
    },
  });
  // A sender that is killed in the middle is part of some tests.
  server.on('error', () => {});
  const address = await listening(server);
  const login = options.auth && [options.auth.user, options.auth.pass].map(encodeURIComponent).join(':');
  return {
    url: `smtp://${login ? `${login}@` : ''}${address}`,
    mails: arrivals.items,
    get attempts() {
      return attempts;
    },
    until: (fits, limitMs) => arrivals.until(fits, limitMs),
    mailTo: (address, subjectPart = '') =>
      arrivals.until(({ to, subject }) => to.includes(address) && subject.includes(subjectPart)),
    forget: () => arrivals.forget(),
    refuseNext(count, status = 451) {
      for (let index = 0; index < count; index += 1) refusals.push(status);
    },
    refuseTo: (address) => void refusedAddresses.add(address),
    accept: (address) => void refusedAddresses.delete(address),
    holdNext() {
      const hold = { arrived: Promise.withResolvers<Mail>(), released: Promise.withResolvers<void>() };
      holds.push(hold);
      return { arrived: hold.arrived.promise, release: hold.released.resolve };
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((closed) => server.close(closed));
    },
  };
}

const fixedOptions: SMTPServerOptions = {
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  // Senders keep connections; nothing on one is worth waiting for when a test is over.
  closeTimeout: 1,
};

function authentication(wanted: MailServerOptions['auth']): SMTPServerOptions {
  if (!wanted) return { authOptional: true };
  return {
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, answer) {
      const isRight = username === wanted.user && password === wanted.pass;
      return isRight ? answer(null, { user: username }) : answer(new Error('Invalid username or password'));
    },
  };
}

async function parse(raw: Buffer, session: SMTPServerSession): Promise<Mail> {
  const parsed = await PostalMime.parse(raw);
  const { mailFrom, rcptTo } = session.envelope;
  return {
    to: rcptTo.map(({ address }) => address),
    from: mailFrom ? mailFrom.address : '',
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: parsed.html ?? '',
    messageId: parsed.messageId ?? '',
    headers: Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value])),
    raw: raw.toString('utf8'),
  };
}

const refusal = (responseCode: number) =>
  Object.assign(new Error(responseCode < 500 ? 'Try again later' : 'No such mailbox'), { responseCode });

async function listening({ server }: SMTPServer): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

/** The link of a mail: the line of its text that is a URL and nothing else. */
export function linkIn({ text, subject }: Mail): string {
  const link = /^https?:\/\/\S+$/m.exec(text)?.[0];
  if (!link) throw new Error(`"${subject}" has no link: ${text}`);
  return link;
}

/** The code of a mail: the line of its text that is digits and nothing else. */
export function codeIn({ text, subject }: Mail): string {
  const code = /^\d{4,10}$/m.exec(text)?.[0];
  if (!code) throw new Error(`"${subject}" has no code: ${text}`);
  return code;
}

/** The token that the link of a mail carries. */
export function tokenIn(mail: Mail): string {
  const token = new URL(linkIn(mail)).searchParams.get('token');
  if (!token) throw new Error(`The link of "${mail.subject}" has no token: ${linkIn(mail)}`);
  return token;
}
