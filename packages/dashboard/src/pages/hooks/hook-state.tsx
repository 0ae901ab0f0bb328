import type { BackgroundFunction } from '../../api/hooks.ts';
import { codeTexts } from '../../code-texts.ts';
import { Tag } from '../../kit/tag.tsx';

const { hooks: words } = codeTexts;

const tones = {
  runs: 'good',
  failing: 'warning',
  pausing: 'warning',
  off: 'plain',
  ended: 'bad',
  gone: 'plain',
} as const;

/** How a function that runs by itself does, in a word. */
export function HookState({ hook }: { readonly hook: BackgroundFunction }) {
  const state = stateOf(hook);
  return <Tag tone={tones[state]}>{words.states[state]}</Tag>;
}

function stateOf({ enabled, disabledReason, health }: BackgroundFunction): keyof typeof tones {
  if (disabledReason === 'gone') return 'gone';
  if (!enabled) return disabledReason === 'paused' ? 'off' : 'ended';
  if (health.pausedUntil !== null) return 'pausing';
  return health.failingSince === null ? 'runs' : 'failing';
}
