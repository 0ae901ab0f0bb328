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
        'SMTP_URL is not set: projects without their own mail server cannot send email.',
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
      return ok(`${address} responds and accepts the login.`);
    } catch (error) {
      const isLogin = errorCode(error) === 'EAUTH';
      return problem(
        `${address} cannot be used: ${why(error)}.`,
        isLogin
          ? 'Correct the user and password in SMTP_URL; percent-encode special characters, such as %40 for @.'
          : 'Correct SMTP_URL, or check whether a firewall blocks outgoing mail from this machine.',
      );
    } finally {
      transport.close();
    }
  },
};
