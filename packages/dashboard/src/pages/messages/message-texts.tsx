import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { templatesQuery } from '../../api/messages.ts';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { Tag } from '../../kit/tag.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import { Delivery } from './delivery.tsx';
import { nameOf, whenOf } from './template-name.ts';
import { TestReceivers } from './test-receivers.tsx';

const { messages: words } = texts;

/** What the service sends to app users, and how it goes out. */
export function MessageTexts({ projectRef: ref }: { readonly projectRef: string }) {
  const { data: templates, error } = useQuery(templatesQuery(ref));
  const names = [...new Set(templates?.map(({ name }) => name))];
  const ownOf = (template: string) =>
    templates?.filter(({ name, is_own: isOwn }) => isOwn && name === template) ?? [];
  return (
    <>
      <Section title={words.templates} lead={words.templatesText}>
        {error && <Problem error={error} />}
        {!templates && !error && <Wait lines={8} />}
        {templates && (
          <Rows>
            {names.map((name) => (
              <Row
                key={name}
                title={
                  <Link to="/p/$ref/messages/$template" params={{ ref, template: name }} search={{}}>
                    {nameOf(name)}
                  </Link>
                }
                facts={whenOf(name)}
              >
                {ownOf(name).map(({ language }) => (
                  <Tag key={language} tone="good">
                    {words.ownIn(texts.languages[language])}
                  </Tag>
                ))}
              </Row>
            ))}
          </Rows>
        )}
      </Section>
      <Delivery projectRef={ref} />
      <TestReceivers projectRef={ref} />
    </>
  );
}
