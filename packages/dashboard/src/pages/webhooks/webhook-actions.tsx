import { useState } from 'react';
import { useChangeWebhook, type Webhook } from '../../api/webhooks.ts';
import { codeTexts } from '../../code-texts.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { Problem } from '../../kit/problem.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { TestWebhook } from './test-webhook.tsx';
import { WebhookForm } from './webhook-form.tsx';

const { webhooks: words } = codeTexts;

interface WebhookActionsProps {
  readonly projectRef: string;
  readonly webhook: Webhook;
}

/** What can be done with a webhook at any time: try it, change it, stop it for a while. */
export function WebhookActions({ projectRef, webhook }: WebhookActionsProps) {
  const change = useChangeWebhook(projectRef, webhook.id);
  const [isChanging, setChanging] = useState(false);
  const say = useToast();
  const enable = (enabled: boolean) =>
    change.mutate(
      { enabled },
      {
        onSuccess: () =>
          say(
            enabled
              ? { text: words.resumed }
              : { text: words.paused, undo: () => change.mutate({ enabled: true }) },
          ),
      },
    );
  return (
    <>
      <TestWebhook projectRef={projectRef} id={webhook.id} />
      <button type="button" onClick={() => setChanging(true)}>
        {words.change}
      </button>
      <button type="button" disabled={change.isPending} onClick={() => enable(!webhook.enabled)}>
        {webhook.enabled ? words.pause : words.resume}
      </button>
      {change.error && !isChanging && <Problem error={change.error} />}
      {isChanging && (
        <Dialog title={words.changeTitle} onClose={() => setChanging(false)}>
          <WebhookForm
            projectRef={projectRef}
            button={words.save}
            now={webhook}
            isPending={change.isPending}
            error={change.error}
            onSend={(wish) =>
              change.mutate(wish, {
                onSuccess: () => {
                  setChanging(false);
                  say({ text: words.saved });
                },
              })
            }
          />
        </Dialog>
      )}
    </>
  );
}
