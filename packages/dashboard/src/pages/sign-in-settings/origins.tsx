import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { projectQuery } from '../../api/projects.ts';
import { useSetOrigins } from '../../api/settings.ts';
import { AreaField } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Section } from '../../kit/section.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';

const { signInSettings: words } = texts;

/** Whose pages may call the project, one in each line. */
export function Origins({ projectRef: ref }: { readonly projectRef: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(ref));
  const set = useSetOrigins(ref);
  const say = useToast();
  const stored = (project.allowedOrigins ?? []).join('\n');
  const [draft, setDraft] = useState<string>();
  const origins = (draft ?? stored).split(/\s+/).filter(Boolean);
  return (
    <Section title={words.origins} lead={words.originsText}>
      <div>
        <Form
          button={words.save}
          isPending={set.isPending}
          isDisabled={draft === undefined || draft === stored}
          error={set.error}
          onSend={() =>
            set.mutate(origins, {
              onSuccess: () => {
                setDraft(undefined);
                say({ text: words.saved });
              },
            })
          }
        >
          <AreaField
            label={words.originsLabel}
            hint={words.originsHint}
            rows={4}
            value={draft ?? stored}
            onChange={(event) => setDraft(event.target.value)}
          />
        </Form>
      </div>
    </Section>
  );
}
