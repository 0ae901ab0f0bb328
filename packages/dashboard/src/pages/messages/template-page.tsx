import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { type Template, templatesQuery } from '../../api/messages.ts';
import { type Language } from '../../api/projects.ts';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { Tag } from '../../kit/tag.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import css from './messages.module.css';
import { TemplateEditor } from './template-editor.tsx';
import { nameOf, whenOf } from './template-name.ts';

const { messages: words } = texts;

/** One message: its words on the left, how it arrives on the right. */
export function TemplatePage() {
  const { ref, template } = useParams({ from: '/signed-in/p/$ref/messages/$template' });
  const { language = 'en', as } = useSearch({ from: '/signed-in/p/$ref/messages/$template' });
  const { data: templates, error } = useQuery(templatesQuery(ref));
  const inLanguages = templates?.filter(({ name }) => name === template) ?? [];
  const shown = inLanguages.find((one) => one.language === language);
  return (
    <div className={css.page}>
      <Link to="/p/$ref/messages" params={{ ref }}>
        {words.back}
      </Link>
      <Head title={nameOf(template)} lead={whenOf(template)} />
      <Tabs label={words.languages}>
        {inLanguages.map((one) => (
          <Link
            key={one.language}
            to="/p/$ref/messages/$template"
            params={{ ref, template }}
            search={lookOf(one.language, as)}
            activeOptions={{ exact: true }}
          >
            <LanguageName template={one} />
          </Link>
        ))}
      </Tabs>
      {error && <Problem error={error} />}
      {!templates && !error && <Wait lines={8} />}
      {templates && !shown && <p>{words.unknown}</p>}
      {shown && (
        <TemplateEditor
          key={`${template} ${language}`}
          projectRef={ref}
          template={shown}
          as={as ?? 'desktop'}
        />
      )}
    </div>
  );
}

/** The first language and the plain form are what an address means that says nothing. */
const lookOf = (language: Language, as: 'phone' | 'text' | undefined) => ({
  ...(language !== 'en' && { language }),
  ...(as && { as }),
});

function LanguageName({ template: { language, is_own: isOwn } }: { readonly template: Template }) {
  return (
    <>
      {texts.languages[language]} {isOwn && <Tag tone="good">{words.own}</Tag>}
    </>
  );
}
