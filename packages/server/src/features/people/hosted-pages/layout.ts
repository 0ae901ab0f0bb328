import { type Html, html } from '../../../platform/http/html.ts';
import type { HtmlPage } from '../../../platform/http/html-page.ts';
import type { PageState } from './page-state.ts';
import { style, styleHash } from './style.ts';

interface Content {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** The page shows that something was wrong: its title says so first. */
  readonly isMistake?: boolean;
  readonly targets?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly isDone?: boolean;
}

/** The frame of every page: one card with the project's name, a heading and what belongs to it. */
export function layOut(state: PageState, content: Content): HtmlPage {
  const { title, body, status = 200, isMistake = false, isDone = false } = content;
  const name = state.projectName;
  const document = html`<!doctype html>
<html lang="${state.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${isMistake && `${state.texts.error}: `}${title}${name !== undefined && ` · ${name}`}</title>
<style>${style}</style>
</head>
<body>
<main>
${name !== undefined && html`<p class="project">${name}</p>`}
${isDone && tick}
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  return {
    status,
    document,
    styleHash,
    ...(content.targets && { formTargets: content.targets }),
    ...(content.headers && { headers: content.headers }),
  };
}

const tick = html`<svg class="tick" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M4 12.5l5.5 5.5L20 7"/></svg>`;

/** A page that only tells something. */
export function notice(
  state: PageState,
  told: { title: string; text: string },
  more: Omit<Content, 'title' | 'body'> & { after?: Html } = {},
): HtmlPage {
  const { after, ...content } = more;
  return layOut(state, {
    ...content,
    title: told.title,
    body: html`<p class="text">${told.text}</p>${after}`,
  });
}
