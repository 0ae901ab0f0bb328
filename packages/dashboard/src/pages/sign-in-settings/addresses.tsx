import { Section } from '../../kit/section.tsx';
import { texts } from '../../texts.ts';
import { ConfigForm } from './config-form.tsx';
import { type ConfigProps, keysIn } from './config-props.ts';

const { signInSettings: words } = texts;

/** The pages of the app that mails and hosted pages lead to. */
export function Addresses({ projectRef, configs }: ConfigProps) {
  return (
    <Section title={words.urls} lead={words.urlsText}>
      <div>
        <ConfigForm
          projectRef={projectRef}
          keys={keysIn(configs, Object.keys(words.urlNames))}
          labels={words.urlNames}
          type="url"
        />
      </div>
    </Section>
  );
}
