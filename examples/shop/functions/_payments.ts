import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from '@plinth/runtime';

interface Checkout {
  readonly id: string;
  /** Where the buyer pays. */
  readonly url: string;
}

/** Asks the payment service for a page on which an order can be paid. */
export async function startCheckout(
  ctx: Context,
  order: { readonly id: string; readonly total: number },
  notify: string,
): Promise<Checkout> {
  const answer = await ctx.fetch(`${ctx.config.get('PAYMENTS_URL', '')}/checkouts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': order.id },
    body: JSON.stringify({ reference: order.id, amount: order.total, notify }),
  });
  if (!answer.ok) throw new Error(`The payment service answered ${answer.status}.`);
  return (await answer.json()) as Checkout;
}

const longestAgoS = 300;

/** Whether the payment service has signed a body, within the last minutes. The header: t=1700000000,v1=5257a8… */
export function isSigned(body: string, header: string, secret: string): boolean {
  const parts = new Map(header.split(',').map((part) => part.split('=', 2) as [string, string]));
  const time = parts.get('t') ?? '';
  if (secret === '' || !(Math.abs(Date.now() / 1000 - Number(time)) < longestAgoS)) return false;
  const wanted = createHmac('sha256', secret).update(`${time}.${body}`).digest();
  const given = Buffer.from(parts.get('v1') ?? '', 'hex');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
