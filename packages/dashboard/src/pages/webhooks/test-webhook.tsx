import { useState } from 'react';
import { type TestResult, useTestWebhook } from '../../api/webhooks.ts';
import { codeTexts } from '../../code-texts.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { duration } from '../../kit/figures.ts';
import { Problem } from '../../kit/problem.tsx';
import { Tag } from '../../kit/tag.tsx';
import { LongText } from '../deliveries/long-text.tsx';

const { webhooks: words } = codeTexts;

interface TestWebhookProps {
  readonly projectRef: string;
  readonly id: string;
}

/** Sends a test, and shows what came back. */
export function TestWebhook({ projectRef, id }: TestWebhookProps) {
  const test = useTestWebhook(projectRef, id);
  const [isOpen, setOpen] = useState(false);
  const send = () => {
    setOpen(true);
    test.mutate(undefined);
  };
  return (
    <>
      <button type="button" data-kind="main" disabled={test.isPending} onClick={send}>
        {words.test}
      </button>
      {isOpen && (
        <Dialog title={words.testTitle} onClose={() => setOpen(false)}>
          {test.isPending && <p role="status">{words.testing}</p>}
          {test.error && <Problem error={test.error} />}
          {test.data && <Result of={test.data} />}
        </Dialog>
      )}
    </>
  );
}

function Result({ of: { delivered, status, ms, response, error } }: { readonly of: TestResult }) {
  const took = duration(ms);
  const { states } = codeTexts.deliveries;
  return (
    <>
      <p role="status">
        <Tag tone={delivered ? 'good' : 'bad'}>{delivered ? states.delivered : words.attemptFailed}</Tag>{' '}
        {delivered ? words.testDelivered(status, took) : words.testFailed(error ?? '', took)}
      </p>
      {response ? (
        <LongText text={response} label={words.answer} />
      ) : (
        status !== null && <p>{words.noAnswer}</p>
      )}
    </>
  );
}
