import { Section } from '../../kit/section.tsx';
import { texts } from '../../texts.ts';
import { ConfigForm } from './config-form.tsx';
import { type ConfigProps, keysIn } from './config-props.ts';

const { signInSettings: words } = texts;

/** How long sign-ins last, and how codes and passwords look. */
export function Lifetimes({ projectRef, configs }: ConfigProps) {
  return (
    <Section title={words.lifetimes} lead={words.lifetimesText}>
      <div>
        <ConfigForm
          projectRef={projectRef}
          keys={keysIn(configs, Object.keys(words.numbers))}
          labels={words.numbers}
          type="number"
        />
      </div>
    </Section>
  );
}
