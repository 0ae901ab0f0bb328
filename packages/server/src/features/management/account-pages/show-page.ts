import type { AppError } from '../../../platform/errors.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import type { HtmlPage } from '../../../platform/http/html-page.ts';
import { pageStyle, pageStyleHash } from '../../people/index.ts';
import type { AccountPage } from './pages.ts';

interface Frame {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

function layOut({ title, body, status = 200, headers }: Frame): HtmlPage {
  return {
    status,
    styleHash: pageStyleHash,
    ...(headers && { headers }),
    document: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Plinth</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<p class="project">Plinth</p>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`,
  };
}

interface Shown {
  readonly problem?: string;
  readonly status?: number;
  readonly kept?: string;
  /** Whose session the form will be sent with, if it needs no other credential. */
  readonly signedInAs?: string | undefined;
}

/** The form, again if something was wrong with what was sent; `kept` is what need not be typed twice. */
export function showForm(
  { title, text, code, fields, button }: AccountPage,
  token: string,
  { problem, status, kept = '', signedInAs }: Shown = {},
): HtmlPage {
  const inputs = (signedInAs === undefined ? fields : []).map(
    ({ name, label, type, autocomplete, isOptional }) => html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${[
      ...(isOptional ? [] : [html` required`]),
      ...(name === 'email' && kept !== '' ? [html` value="${kept}"`] : []),
      ...(problem === undefined ? [] : [html` aria-describedby="problem"`]),
    ]}>`,
  );
  return layOut({
    title,
    ...(status !== undefined && { status }),
    body: html`<p class="text">${text}</p>
${code && html`<p class="text"><strong>${code(token)}</strong></p>`}
${signedInAs !== undefined && html`<p class="text">You are signed in as ${signedInAs}.</p>`}
${problem !== undefined && html`<p class="problem" id="problem" role="alert">${problem}</p>`}
<form method="post">
<input type="hidden" name="token" value="${token}">
${inputs}
<button>${button}</button>
</form>`,
  });
}

export function showNotice(
  title: string,
  text: string,
  more: Pick<Frame, 'status' | 'headers'> = {},
): HtmlPage {
  return layOut({ title, body: html`<p class="text">${text}</p>`, ...more });
}

/** Says what went wrong, to a person. */
export const problemPage = ({ message, status }: AppError): HtmlPage =>
  showNotice('This did not work', message, { status });
