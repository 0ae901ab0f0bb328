import { errorCode } from '../../../platform/error-code.ts';
import { type DeploymentCheck, ok, problem, warning } from '../check.ts';
import { showUrl } from '../show-url.ts';
import { why } from '../why.ts';

const answerWithinMs = 4000;

export const mail: DeploymentCheck = {
  id: 'mail',
  group: 'Mail',
  title: 'mail server',
  page: 'auth.md#for-operators',
  mustAnswer: true,
  async run({ config: { SMTP_URL: url } }) {
    if (url === undefined)
      return warning(
        'SMTP_URL is not set: projects without a mail server of their own send no mail.',
        'Set SMTP_URL and MAIL_FROM. Without mail nobody can confirm an address or reset a password.',
      );
    const address = showUrl(url);
    const { createTransport } = await import('nodemailer');
    const limits = {
      connectionTimeout: answerWithinMs,
      greetingTimeout: answerWithinMs,
      socketTimeout: answerWithinMs,
    };
    const transport = createTransport({ url, ...limits });
    try {
      await transport.verify();
      return ok(`${address} answers, and takes the login.`);
    } catch (error) {
      const isLogin = errorCode(error) === 'EAUTH';
      return problem(
        `${address} cannot be used: ${why(error)}.`,
        isLogin
          ? 'Correct user and password in SMTP_URL; special characters are written as %40 and the like.'
          : 'Correct SMTP_URL, or look whether a firewall keeps this machine from sending mail.',
      );
    } finally {
      transport.close();
    }
  },
};
