import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { configsQuery } from '../../api/settings.ts';
import { Page } from '../../frame/page.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import { Addresses } from './addresses.tsx';
import { Lifetimes } from './lifetimes.tsx';
import { Origins } from './origins.tsx';
import { Providers } from './providers.tsx';
import { SelfRoles } from './self-roles.tsx';
import { WaysIn } from './ways-in.tsx';

const { signInSettings: words } = texts;

/** How the app users of a project sign in. Each switch counts at once, on every node. */
export function SignInSettingsPage() {
  const { ref } = useParams({ from: '/signed-in/p/$ref/sign-in' });
  const { part } = useSearch({ from: '/signed-in/p/$ref/sign-in' });
  const { data: configs, error } = useQuery(configsQuery(ref));
  const props = configs && { projectRef: ref, configs };
  return (
    <Page>
      <Head title={words.title} lead={words.lead} />
      <Tabs label={words.title}>
        <Link to="/p/$ref/sign-in" params={{ ref }} search={{}} activeOptions={{ exact: true }}>
          {words.ways}
        </Link>
        <Link to="/p/$ref/sign-in" params={{ ref }} search={{ part: 'providers' }}>
          {words.providers}
        </Link>
        <Link to="/p/$ref/sign-in" params={{ ref }} search={{ part: 'addresses' }}>
          {words.addresses}
        </Link>
      </Tabs>
      {error && <Problem error={error} />}
      {!configs && !error && <Wait lines={6} />}
      {props && part === undefined && (
        <>
          <WaysIn {...props} />
          <Lifetimes {...props} />
          <SelfRoles {...props} />
        </>
      )}
      {props && part === 'providers' && <Providers {...props} />}
      {props && part === 'addresses' && (
        <>
          <Origins projectRef={ref} />
          <Addresses {...props} />
        </>
      )}
    </Page>
  );
}
