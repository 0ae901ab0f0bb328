import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useDeleteWebhook, useRotateSecret } from '../../api/webhooks.ts';
import { codeTexts } from '../../code-texts.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Section } from '../../kit/section.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { ShownSecret } from './shown-secret.tsx';

const { webhooks: words } = codeTexts;

interface WebhookEndProps {
  readonly projectRef: string;
  readonly id: string;
}

/** What is seldom done: another secret, and the end. */
export function WebhookEnd(props: WebhookEndProps) {
  return (
    <>
      <Secret {...props} />
      <Remove {...props} />
    </>
  );
}

function Secret({ projectRef, id }: WebhookEndProps) {
  const rotate = useRotateSecret(projectRef, id);
  const [isAsked, setAsked] = useState(false);
  const close = () => {
    setAsked(false);
    rotate.reset();
  };
  return (
    <Section title={words.secret} lead={words.secretLead}>
      <button type="button" onClick={() => setAsked(true)}>
        {words.rotate}
      </button>
      {isAsked && !rotate.data && (
        <Confirm
          title={words.rotate}
          text={words.rotateText}
          button={words.rotate}
          isPending={rotate.isPending}
          error={rotate.error}
          onSend={() => rotate.mutate(undefined)}
          onClose={close}
        />
      )}
      {isAsked && rotate.data && <ShownSecret secret={rotate.data.secret} onClose={close} />}
    </Section>
  );
}

function Remove({ projectRef: ref, id }: WebhookEndProps) {
  const remove = useDeleteWebhook(ref, id);
  const [isAsked, setAsked] = useState(false);
  const navigate = useNavigate();
  const say = useToast();
  const gone = () => {
    say({ text: words.removed });
    void navigate({ to: '/p/$ref/webhooks', params: { ref } });
  };
  return (
    <Section title={words.remove} lead={words.removeLead}>
      <button type="button" data-kind="danger" onClick={() => setAsked(true)}>
        {words.remove}
      </button>
      {isAsked && (
        <Confirm
          title={words.remove}
          text={words.removeText}
          button={words.remove}
          isPending={remove.isPending}
          error={remove.error}
          onSend={() => remove.mutate(undefined, { onSuccess: gone })}
          onClose={() => setAsked(false)}
        />
      )}
    </Section>
  );
}
