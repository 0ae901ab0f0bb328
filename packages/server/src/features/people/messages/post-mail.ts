import { callbackify } from 'node:util';
import type { Transporter } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';
import type { Project } from '../../../calls/index.ts';
import { keepInFolder } from '../dev-mailbox/index.ts';
import type { DeliveryDeps, ServerMail } from './deps.ts';
import { DeliveryError } from './explain-failure.ts';
import { findMailSettings, type MailSettings } from './settings.ts';

export interface ReadyMail {
  readonly to: string;
  readonly subject: string;
  /** Without it the mail is plain text. */
  readonly html?: string;
  readonly text: string;
  /** The job's name: if a mail is sent twice, both have the same Message-ID, and most programs show one. */
  readonly key: string;
}

const deadlineMs = 60_000;
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Hands a mail to the project's own mail server, else to the deployment's; returns once that has accepted it. */
export async function postMail(deps: DeliveryDeps, project: Project, mail: ReadyMail): Promise<void> {
  const own = await findMailSettings(deps.secrets, project);
  if (!own) return postServerMail(deps.server, project, mail);
  const transport = await ownTransport(deps, own);
  await post(transport, mail, { name: project.name, from: own.from, replyTo: own.reply_to });
}

/** Hands a mail to the deployment's own server. */
export async function postServerMail(
  { smtpUrl, from, folder }: ServerMail,
  sender: { readonly name: string },
  mail: ReadyMail,
): Promise<void> {
  if (folder !== undefined) return keepInFolder(folder, sender, { kind: 'mail', ...mail });
  if (smtpUrl === undefined || from === undefined) throw new DeliveryError('No mail server is configured.');
  const { createTransport } = await import('nodemailer');
  await post(createTransport({ url: smtpUrl, ...timeouts }), mail, { name: sender.name, from });
}

async function ownTransport(
  { outbound }: Pick<DeliveryDeps, 'outbound'>,
  { host, port, tls = 'starttls', user, password }: MailSettings,
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const isImplicit = tls === 'implicit';
  const options: SMTPTransport.Options = {
    host,
    port: port ?? (isImplicit ? 465 : 587),
    secure: isImplicit,
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    ...timeouts,
    // A project has named the host, so the rules for outbound connections apply.
    getSocket: callbackify(async ({ host: to = host, port: at = 587 }: SMTPTransport.Options) => {
      const connection = await outbound.connect(to, Number(at));
      // A server that answers a byte at a time must not hold up the mails of others.
      const timer = setTimeout(
        () => connection.destroy(new DeliveryError('The mail server took too long.')),
        deadlineMs,
      );
      connection.once('close', () => clearTimeout(timer));
      return { connection };
    }),
  };
  return createTransport(options);
}

async function post(
  transport: Transporter,
  { to, subject, html, text, key }: ReadyMail,
  sender: { name: string; from: string; replyTo?: string | undefined },
): Promise<void> {
  const domain = sender.from.slice(sender.from.lastIndexOf('@') + 1);
  try {
    await transport.sendMail({
      from: { name: plainWords(sender.name), address: sender.from },
      ...(sender.replyTo !== undefined && { replyTo: sender.replyTo }),
      to: { name: '', address: to },
      subject: plainWords(subject),
      ...(html !== undefined && { html }),
      text,
      messageId: `<${key}@${domain}>`,
      // Machines that answered such mails would go round in circles.
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  } finally {
    transport.close();
  }
}

/** Mail programs would decode what looks like an encoded word (`=?utf-8?q?…?=`), and show another text. */
const plainWords = (text: string) => text.replaceAll('=?', '= ?');
