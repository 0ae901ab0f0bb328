/** A mail text of a project's own. */
export interface MailText {
  readonly subject?: string;
  readonly body: string;
  readonly html?: string;
}

/** The plain text of a mail, and the HTML where the project has one of its own. */
type MailEnding = '.txt' | '.html';

/** The files of a text: its subject in the first line of the plain text, as in a mail. */
export function mailFiles({ subject, body, html }: MailText): [MailEnding, string][] {
  const head = subject === undefined && !body.startsWith(mark) ? '' : `${mark} ${subject ?? ''}\n\n`;
  const text: [MailEnding, string] = ['.txt', `${head}${body}\n`];
  return html === undefined ? [text] : [text, ['.html', `${html}\n`]];
}

const mark = 'Subject:';

/** Reads what `mailFiles` wrote. */
export function readMail(text: string, html: string | undefined): MailText {
  const plain = withoutLastBreak(text);
  const [head, subject = ''] = /^Subject: ?(.*)\r?\n(?:\r?\n)?/.exec(plain) ?? [''];
  return {
    ...(subject !== '' && { subject }),
    body: plain.slice(head.length),
    ...(html !== undefined && { html: withoutLastBreak(html) }),
  };
}

const withoutLastBreak = (text: string) => text.replace(/\r?\n$/, '');
