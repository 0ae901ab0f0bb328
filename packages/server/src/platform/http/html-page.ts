import type { FastifyReply } from 'fastify';
import type { Html } from './html.ts';

/** A page of HTML. It has no script, and no style but the one whose hash it names. */
export interface HtmlPage {
  readonly status: number;
  readonly document: Html;
  /** `sha256-…` of what is between `<style>` and `</style>`. */
  readonly styleHash: string;
  /** Where else than to this server the answers to its forms may lead; browsers follow no others. */
  readonly formTargets?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** It has pictures written into it, such as the icon of its tab. */
  readonly hasPictures?: boolean;
}

/** A page, or where the browser goes instead. That address is never made of what a request says about this server. */
export type HtmlAnswer = HtmlPage | { readonly redirect: string };

const strictHeaders = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Not `no-referrer`: forms would be sent without their origin then, and be refused.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Sends a page, or the browser elsewhere, with the headers that every page has. */
export function sendHtml(reply: FastifyReply, answer: HtmlAnswer): FastifyReply {
  reply.headers(strictHeaders);
  if ('redirect' in answer) return reply.code(303).header('Location', answer.redirect).send('');
  return reply
    .code(answer.status)
    .headers(answer.headers ?? {})
    .header('Content-Security-Policy', policyOf(answer))
    .type('text/html; charset=utf-8')
    .send(answer.document.toString());
}

function policyOf({ styleHash, formTargets = [], hasPictures = false }: HtmlPage): string {
  const targets = ["'self'", ...new Set(formTargets.flatMap(sourceOf))];
  return [
    "default-src 'none'",
    `style-src '${styleHash}'`,
    ...(hasPictures ? ['img-src data:'] : []),
    `form-action ${targets.join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** The origin of an address, where it can be written into a policy without becoming something else there. */
function sourceOf(address: string): string[] {
  const origin = URL.parse(address)?.origin ?? '';
  return /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin) ? [origin] : [];
}
