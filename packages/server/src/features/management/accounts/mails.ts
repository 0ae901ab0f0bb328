import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import type { Vault } from '../../../platform/crypto/vault.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { addAccountJob } from '../../../platform/jobs/add-job.ts';
import type { Task } from '../../../platform/jobs/job-runner.ts';
import { openContent, sealContent } from '../../../platform/jobs/sealed-content.ts';
import { postServerMail, renderMail, type ServerMail } from '../../people/index.ts';
import { letters } from './letters.ts';

const mailSchema = Type.Object({
  letter: Type.Enum(Object.keys(letters) as (keyof typeof letters)[]),
  to: Type.String(),
  /** What the text's placeholders stand for; `link` leads to a page of the dashboard. */
  variables: Type.Record(Type.String(), Type.String()),
  expiresAt: Type.Number(),
});

/** A mail to somebody who manages projects, or may soon. */
interface Letter {
  readonly letter: keyof typeof letters;
  readonly to: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** How long it is worth sending. */
  readonly lastsS: number;
}

interface AccountMail extends Letter {
  readonly page: 'verify' | 'reset' | 'join' | 'sign-in';
  readonly token: string;
}

interface AccountNotice extends Letter {
  readonly path: `/${string}`;
}

const place = 'mail of an account';
const sender = { name: 'Plinth' };

/** Mails to accounts, through the deployment's own mail server. */
export class AccountMails {
  readonly #vault: Vault;
  readonly #server: ServerMail;
  readonly #dashboard: () => string;

  constructor(vault: Vault, server: ServerMail, dashboard: () => string) {
    this.#vault = vault;
    this.#server = server;
    this.#dashboard = dashboard;
  }

  get canSend(): boolean {
    return this.#server.folder !== undefined || this.#server.smtpUrl !== undefined;
  }

  /** The page of the dashboard that takes a token. */
  addressOf(page: AccountMail['page'], token: string): string {
    return `${this.#dashboard()}/account/${page}?token=${token}`;
  }

  /** Queues a mail, in the transaction of its cause. */
  async send(control: ControlDb, { page, token, ...mail }: AccountMail): Promise<void> {
    await this.#queue(control, mail, this.addressOf(page, token));
  }

  /** Queues a mail that leads to a page of the dashboard, in the transaction of its cause. */
  async tell(control: ControlDb, { path, ...mail }: AccountNotice): Promise<void> {
    await this.#queue(control, mail, `${this.#dashboard()}/dashboard${path}`);
  }

  async #queue(control: ControlDb, { lastsS, ...mail }: Letter, link: string): Promise<void> {
    const content = {
      ...mail,
      variables: { ...mail.variables, link },
      expiresAt: Date.now() + lastsS * 1000,
    };
    await addAccountJob(control, {
      task: 'send-account-mail',
      key: `accounts-${randomUUID()}`,
      content: sealContent(this.#vault, place, content),
      isAwaited: true,
    });
  }

  /** The job that delivers the mails of the queue. */
  readonly deliver: Task = async (content, { key }) => {
    const mail = openContent(this.#vault, place, { schema: mailSchema, content });
    if (mail.expiresAt < Date.now()) return;
    const rendered = renderMail({
      template: 'password-reset',
      language: 'en',
      appName: sender.name,
      variables: { email: mail.to, ...mail.variables },
      replacement: letters[mail.letter],
    });
    await postServerMail(this.#server, sender, { to: mail.to, key, ...rendered });
  };
}
