import type { Webhook } from '../../api/webhooks.ts';
import { codeTexts } from '../../code-texts.ts';
import { Tag } from '../../kit/tag.tsx';

const { webhooks: words } = codeTexts;

const tones = {
  works: 'good',
  resting: 'plain',
  failing: 'warning',
  pausing: 'warning',
  off: 'plain',
  ended: 'bad',
} as const;

/** How a webhook does, in a word. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const state = stateOf(webhook);
  return <Tag tone={tones[state]}>{words.states[state]}</Tag>;
}

function stateOf({ enabled, disabledReason, health }: Webhook): keyof typeof tones {
  if (!enabled) return disabledReason === 'paused' ? 'off' : 'ended';
  if (health.pausedUntil !== null) return 'pausing';
  if (health.failingSince !== null) return 'failing';
  return health.lastAt === null ? 'resting' : 'works';
}

/** What a webhook is called: what it is for, or else where it goes. */
export function nameOf({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  const { host, pathname } = new URL(url);
  return description || `${host}${pathname === '/' ? '' : pathname}`;
}
