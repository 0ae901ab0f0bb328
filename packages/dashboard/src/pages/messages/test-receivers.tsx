import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { projectQuery } from '../../api/projects.ts';
import { useChangeSettings } from '../../api/settings.ts';
import { AreaField } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Section } from '../../kit/section.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';

const { messages: words } = texts;

/** Whom test mails may reach that go out by the server of the whole service. */
export function TestReceivers({ projectRef: ref }: { readonly projectRef: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(ref));
  const change = useChangeSettings(ref);
  const say = useToast();
  const stored = (project.settings?.testReceivers ?? []).join('\n');
  const [draft, setDraft] = useState<string>();
  const testReceivers = (draft ?? stored).split(/[\s,]+/).filter(Boolean);
  const done = () => {
    setDraft((now) => (now === draft ? undefined : now));
    say({ text: words.receiversSaved });
  };
  return (
    <Section title={words.receivers} lead={words.receiversText}>
      <div>
        <Form
          button={words.save}
          isPending={change.isPending}
          isDisabled={draft === undefined || draft === stored}
          error={change.error}
          onSend={() => change.mutate({ testReceivers }, { onSuccess: done })}
        >
          <AreaField
            label={words.receiversLabel}
            hint={words.receiversHint}
            rows={3}
            value={draft ?? stored}
            onChange={(event) => setDraft(event.target.value)}
          />
        </Form>
      </div>
    </Section>
  );
}
