import { useState } from 'react';
import { useAccount } from '../../api/account.ts';
import { useSendTest } from '../../api/messages.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';

const { messages: words } = texts;

interface SendTestProps {
  readonly which: Parameters<typeof useSendTest>[0];
  readonly isText: boolean;
  /** What is typed and not saved is not sent. */
  readonly isSaved: boolean;
}

/** Sends the message to oneself. */
export function SendTest({ which, isText, isSaved }: SendTestProps) {
  const { email } = useAccount();
  const test = useSendTest(which);
  const say = useToast();
  const [isAsking, setAsking] = useState(false);
  const [to, setTo] = useState(isText ? '' : email);
  const done = () => {
    setAsking(false);
    say({ text: words.tested(to) });
  };
  return (
    <>
      <button type="button" disabled={!isSaved} onClick={() => setAsking(true)}>
        {words.test}
      </button>
      {isAsking && (
        <Dialog title={words.test} onClose={() => setAsking(false)}>
          <Form
            button={words.send}
            isPending={test.isPending}
            error={test.error}
            onSend={() => test.mutate(to, { onSuccess: done })}
          >
            <p>{words.testText}</p>
            <Field
              label={isText ? words.toPhone : words.toAddress}
              type={isText ? 'tel' : 'email'}
              required
              autoFocus
              value={to}
              onChange={(event) => setTo(event.target.value)}
            />
          </Form>
        </Dialog>
      )}
    </>
  );
}
