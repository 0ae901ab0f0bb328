import { Link, useParams, useSearch } from '@tanstack/react-router';
import { Page } from '../../frame/page.tsx';
import { Head } from '../../kit/head.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { texts } from '../../texts.ts';
import { MessageTexts } from './message-texts.tsx';
import { Outbox } from './outbox.tsx';

const { messages: words, outbox } = texts;

/** The texts of messages, and what became of those that were sent. */
export function MessagesPage() {
  const { ref } = useParams({ from: '/signed-in/p/$ref/messages' });
  const { part, ...look } = useSearch({ from: '/signed-in/p/$ref/messages' });
  const isOutbox = part === 'outbox';
  const at = { to: '/p/$ref/messages', params: { ref } } as const;
  return (
    <Page>
      <Head title={words.title} lead={words.lead} />
      <Tabs label={words.title}>
        <Link {...at} search={{}} activeOptions={{ exact: true }}>
          {outbox.texts}
        </Link>
        <Link {...at} search={{ part: 'outbox' }}>
          {outbox.title}
        </Link>
      </Tabs>
      {isOutbox ? <Outbox projectRef={ref} look={look} /> : <MessageTexts projectRef={ref} />}
    </Page>
  );
}
