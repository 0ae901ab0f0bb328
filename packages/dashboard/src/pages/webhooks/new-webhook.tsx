import { useNavigate } from '@tanstack/react-router';
import { useMakeWebhook } from '../../api/webhooks.ts';
import { codeTexts } from '../../code-texts.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { WebhookForm } from './webhook-form.tsx';

const { webhooks: words } = codeTexts;

interface NewWebhookDialogProps {
  readonly projectRef: string;
  readonly onClose: () => void;
}

/** Asks where a webhook goes, then shows its secret, which nobody sees again. */
export function NewWebhookDialog({ projectRef: ref, onClose }: NewWebhookDialogProps) {
  const make = useMakeWebhook(ref);
  const navigate = useNavigate();
  const made = make.data;
  if (made)
    return (
      <ShownSecret secret={made.secret} onClose={onClose}>
        <button
          type="button"
          data-kind="main"
          onClick={() =>
            void navigate({ to: '/p/$ref/webhooks/$webhook', params: { ref, webhook: made.id }, search: {} })
          }
        >
          {words.toWebhook}
        </button>
      </ShownSecret>
    );
  return (
    <Dialog title={words.make} onClose={onClose}>
      <WebhookForm
        projectRef={ref}
        button={words.makeButton}
        isPending={make.isPending}
        error={make.error}
        onSend={(wish) => make.mutate(wish)}
      />
    </Dialog>
  );
}
