import { type Project } from '../../../calls/index.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import { configOf } from '../../control/index.ts';
import type { PageState } from './page-state.ts';

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'password' | 'tel';
  readonly autocomplete: string;
  readonly hint?: string;
  readonly value?: string;
  /** Characters it may have, at least and at most. */
  readonly length?: readonly [number, number];
  readonly isAutofocused?: boolean;
  readonly isWrong?: boolean;
  /** The field takes a code: digits, unless it is a recovery code. */
  readonly code?: 'digits' | 'any';
}

const problemId = 'problem';

/** A labelled field, tied to its hint and to what is wrong with it for people who cannot see them. */
export function field(field: Field): Html {
  const { name, length, code } = field;
  const about = [field.hint !== undefined && `${name}-hint`, field.isWrong && problemId].filter(Boolean);
  return html`<label for="${name}">${field.label}</label>
${field.hint !== undefined && html`<p class="hint" id="${name}-hint">${field.hint}</p>`}
<input id="${name}" name="${name}" type="${field.type}" autocomplete="${field.autocomplete}" required${[
    ...(field.value ? [html` value="${field.value}"`] : []),
    ...(length ? [html` minlength="${length[0]}" maxlength="${length[1]}"`] : []),
    ...(code ? [html` class="code" autocapitalize="none" spellcheck="false"`] : []),
    ...(code === 'digits' ? [html` inputmode="numeric"`] : []),
    ...(about.length > 0 ? [html` aria-describedby="${about.join(' ')}"`] : []),
    ...(field.isWrong ? [html` aria-invalid="true"`] : []),
    ...(field.isAutofocused ? [html` autofocus`] : []),
  ]}>`;
}

/** The length of the codes that the project sends. */
export function codeLengthOf(project: Project): readonly [number, number] {
  const length = configOf(project).OTP_LENGTH;
  return [length, length];
}

/** What is wrong with the form that was sent, for eyes and ears; `field` refers to it. */
export function problem(text: string | undefined): Html | undefined {
  return text === undefined ? undefined : html`<p class="problem" id="${problemId}" role="alert">${text}</p>`;
}

/** What a form carries along unseen. */
export function hidden(values: Readonly<Record<string, string | undefined>>): Html[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`],
  );
}

/** A form that is sent to one of the pages. Addresses are relative: they work under each address of a project. */
export function form(state: PageState, action: string, content: Html): Html {
  return html`<form method="post" action="${state.up}pages/${action}">
${hidden({ lang: state.chosenLanguage })}
${content}
</form>`;
}

/** The relative address of another page. */
export function addressOf(
  state: PageState,
  page: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...parameters, lang: state.chosenLanguage })) {
    if (value !== undefined) query.set(name, value);
  }
  return `${state.up}${page}${query.size > 0 ? `?${query.toString()}` : ''}`;
}

/** Links to other pages, below a form. */
export function links(
  ...entries: (readonly [text: string, address: string] | undefined)[]
): Html | undefined {
  const there = entries.filter((entry) => entry !== undefined);
  if (there.length === 0) return undefined;
  return html`<nav>${there.map(([text, address]) => html`<a href="${address}">${text}</a>`)}</nav>`;
}

/** A link that is the one thing to do next. */
export function buttonLink(text: string, address: string): Html {
  return html`<a class="button" href="${address}">${text}</a>`;
}
