import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import { type Kept, keepFrom } from '../support/http-example.ts';
import type { MailServer } from '../support/mail-server.ts';
import type { Block } from '../support/markdown.ts';
import type { SmsGateway } from '../support/sms-gateway.ts';

/** What people of the examples get: mails, text messages, and codes of their authenticator apps. */
export class Mailbox {
  readonly #mail: MailServer;
  readonly #sms: SmsGateway;
  readonly #seen = new Set<unknown>();
  #lastStep = 0;

  constructor(mail: MailServer, sms: SmsGateway) {
    this.#mail = mail;
    this.#sms = sms;
  }

  /**
   * Waits for the mail that a `mail` block shows: whom it goes to, its subject, if said who it is from, and lines of its
   * text. `…` stands for anything, `<name>` keeps what is there for later blocks.
   */
  async runMail(block: Block, kept: Kept): Promise<void> {
    const { headers, lines } = readMessage(block);
    const mail = await this.#mail.until(
      (mail) =>
        !this.#seen.has(mail) && mail.to.includes(headers.To!) && matches(mail.subject, headers.Subject!),
    );
    this.#seen.add(mail);
    if (headers.From !== undefined) expect(mail.from).toBe(headers.From);
    keepFrom(mail.text, lines, kept);
  }

  /** The same for the text message of an `sms` block. */
  async runSms(block: Block, kept: Kept): Promise<void> {
    const { headers, lines } = readMessage(block);
    const sms = await this.#sms.until((sms) => !this.#seen.has(sms) && sms.to === headers.To);
    this.#seen.add(sms);
    keepFrom(sms.text, lines, kept);
  }

  /** Runs a `js` block of a gateway's own: its `isFromPlinth` must accept what was sent, and nothing that was changed. */
  async runReceiver({ text }: Block): Promise<void> {
    const source = `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`;
    const { isFromPlinth } = (await import(source)) as {
      isFromPlinth: (body: Buffer, signature: string | undefined, secret: string) => boolean;
    };
    const sent = this.#sms.messages.at(-1)!;
    const signature = String(sent.headers['x-plinth-signature']);
    const accepts = (body: string, signature: string | undefined, secret = this.#sms.webhookSecret) =>
      isFromPlinth(Buffer.from(body), signature, secret);
    expect(accepts(sent.rawBody, signature)).toBe(true);
    expect(accepts(`${sent.rawBody} `, signature)).toBe(false);
    expect(accepts(sent.rawBody, signature, 'another secret')).toBe(false);
    expect(accepts(sent.rawBody, `${signature.slice(0, -1)}é`)).toBe(false);
    expect(accepts(sent.rawBody, '')).toBe(false);
    expect(accepts(sent.rawBody, undefined)).toBe(false);
  }

  /** Keeps what the authenticator app shows that was set up with `<secret>`: each time a code that was not used yet. */
  runAuthenticator(block: Block, kept: Kept): void {
    const totp = new TOTP({ secret: Secret.fromBase32(kept.get('secret')!) });
    // The code after that of this moment is taken, too; so is the one before, as this is if it is sent late.
    this.#lastStep = Math.max(this.#lastStep + 1, totp.counter());
    const shown = totp.generate({ timestamp: this.#lastStep * 30_000 });
    keepFrom(shown, [block.text.trim().split(': ')[1]!], kept);
  }
}

function readMessage({ text }: Block): { headers: Record<string, string>; lines: string[] } {
  const [head = '', ...rest] = text.split('\n\n');
  const headers = Object.fromEntries(
    head.split('\n').map((line) => {
      const [, name, value] = /^(To|From|Subject): (.+)$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`Not a line of a message: ${line}`);
      return [name, value!];
    }),
  );
  return { headers, lines: rest.join('\n').split('\n').filter(Boolean) };
}

const matches = (text: string, shown: string) => shown.split('…').every((part) => text.includes(part));
