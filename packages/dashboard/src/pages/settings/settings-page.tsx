import { Link, useParams, useSearch } from '@tanstack/react-router';
import { Page } from '../../frame/page.tsx';
import { Head } from '../../kit/head.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { texts } from '../../texts.ts';
import { Access } from './access.tsx';
import { Answers } from './answers.tsx';
import { Configs } from './configs.tsx';
import { End } from './end.tsx';
import { General } from './general.tsx';
import { settingsParts } from './parts.ts';

const { settings: words } = texts;
const contents = { general: General, access: Access, answers: Answers, configs: Configs, end: End } as const;

export function SettingsPage() {
  const { ref } = useParams({ from: '/signed-in/p/$ref/settings' });
  const { part: open = 'general' } = useSearch({ from: '/signed-in/p/$ref/settings' });
  const Content = contents[open];
  return (
    <Page>
      <Head title={words.title} />
      <Tabs label={words.title}>
        {settingsParts.map((part) => (
          <Link
            key={part}
            to="/p/$ref/settings"
            params={{ ref }}
            search={part === 'general' ? {} : { part }}
            activeOptions={{ exact: true }}
          >
            {words.parts[part]}
          </Link>
        ))}
      </Tabs>
      <Content />
    </Page>
  );
}
