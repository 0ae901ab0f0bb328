import { callbackify } from 'node:util';
import type { Transporter } from 'nodemailer';
import type { Project } from '../projects/index.ts';
import { keepInFolder } from './mail-folder.ts';
import type { DeliveryServices } from './services.ts';
import type { MailSettings } from './settings.ts';

export interface ReadyMail {
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** The job's name: a mail that is sent twice has the same Message-ID, and most programs show it once. */
  readonly key: string;
}

const deadlineMs = 60_000;
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Hands a mail to the project's own mail server, else to the deployment's. Returns once that has taken it. */
export async function postMail(services: DeliveryServices, project: Project, mail: ReadyMail): Promise<void> {
  const own = (await services.secrets.find(project, 'mail')) as MailSettings | undefined;
  const { smtpUrl, from, folder } = services.server;
  if (own) {
    const transport = await ownTransport(services, own);
    await post(transport, mail, { project, from: own.from, replyTo: own.reply_to });
  } else if (folder !== undefined) {
    await keepInFolder(folder, project, { kind: 'mail', ...mail });
  } else if (smtpUrl !== undefined && from !== undefined) {
    const { createTransport } = await import('nodemailer');
    await post(createTransport({ url: smtpUrl, ...timeouts }), mail, { project, from });
  } else {
    throw new Error(`No mail server is configured for project ${project.ref}.`);
  }
}

async function ownTransport(
  { outbound }: Pick<DeliveryServices, 'outbound'>,
  { host, port, tls = 'starttls', user, password }: MailSettings,
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const isImplicit = tls === 'implicit';
  return createTransport({
    host,
    port: port ?? (isImplicit ? 465 : 587),
    secure: isImplicit,
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    ...timeouts,
    // The host is a project's word: it is connected to by the rules for those.
    getSocket: callbackify(async (options: { host?: string; port?: number }) => {
      const connection = await outbound.connect(options.host ?? host, options.port ?? 587);
      // A server that answers a byte at a time must not hold up others’ mails.
      const timer = setTimeout(
        () => connection.destroy(new Error('The mail server took too long.')),
        deadlineMs,
      );
      connection.once('close', () => clearTimeout(timer));
      return { connection };
    }),
  } as Parameters<typeof createTransport>[0]);
}

async function post(
  transport: Transporter,
  { to, subject, html, text, key }: ReadyMail,
  sender: { project: Project; from: string; replyTo?: string | undefined },
): Promise<void> {
  const domain = sender.from.split('@').at(-1)!;
  try {
    await transport.sendMail({
      from: { name: plainWords(sender.project.name), address: sender.from },
      ...(sender.replyTo !== undefined && { replyTo: sender.replyTo }),
      to: { name: '', address: to },
      subject: plainWords(subject),
      html,
      text,
      messageId: `<${key}@${domain}>`,
      // Answers to such mails by machines would go round in circles.
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  } finally {
    transport.close();
  }
}

/** What looks like an encoded word (`=?utf-8?q?…?=`) would be decoded by mail programs, and be another text there. */
const plainWords = (text: string) => text.replaceAll('=?', '= ?');
