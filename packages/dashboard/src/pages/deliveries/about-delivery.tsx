import type { Delivery } from '../../api/deliveries.ts';
import { codeTexts } from '../../code-texts.ts';
import { moment } from '../../kit/figures.ts';
import { Tag } from '../../kit/tag.tsx';
import { when } from '../../kit/when.ts';
import { Fact, Facts } from './facts.tsx';

const { deliveries: words } = codeTexts;
const tones = { waiting: 'plain', delivered: 'good', dead: 'bad' } as const;

/** What is known of one delivery. */
export function AboutDelivery({ delivery }: { readonly delivery: Delivery }) {
  const { id, status, at, attempts, dueAt, error } = delivery;
  return (
    <Facts>
      <Fact name={words.status}>
        <Tag tone={tones[status]}>{words.states[status]}</Tag>
      </Fact>
      <Fact name={words.id}>
        <code>{id}</code>
      </Fact>
      <Fact
        name={status === 'delivered' ? words.deliveredAt : words.at}
      >{`${moment(at)} (${when(at)})`}</Fact>
      <Fact name={words.attempts}>{String(attempts)}</Fact>
      {dueAt !== null && <Fact name={words.dueAt}>{`${moment(dueAt)} (${when(dueAt)})`}</Fact>}
      {error !== null && status !== 'delivered' && <Fact name={words.error}>{error}</Fact>}
    </Facts>
  );
}
