import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type AppUser, useChangeUser, userQuery } from '../../api/users.ts';
import { Page } from '../../frame/page.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { Wait } from '../../kit/wait.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import { DeleteUser, SuspendUser } from './end-user.tsx';
import { changesTo, JsonForm } from './json-form.tsx';
import { UserAccess } from './user-access.tsx';
import { UserAccount } from './user-account.tsx';
import css from './user-page.module.css';
import { UserSessions } from './user-sessions.tsx';
import { UserState } from './user-state.tsx';
import { UserWaysIn } from './user-ways-in.tsx';

const { user: words } = texts;

export function UserPage() {
  const { ref, id } = useParams({ from: '/signed-in/p/$ref/users/$id' });
  const { data: user, error } = useQuery(userQuery(ref, id));
  return (
    <Page>
      <Link to="/p/$ref/users" params={{ ref }} search={{}}>
        {texts.users.back}
      </Link>
      {error && <Problem error={error} />}
      {!user && !error && <Wait lines={8} />}
      {user && <Record projectRef={ref} user={user} />}
    </Page>
  );
}

function Record({ projectRef: ref, user }: { readonly projectRef: string; readonly user: AppUser }) {
  return (
    <>
      <Head
        title={user.email ?? user.id}
        lead={
          <span className={css.facts}>
            <UserState user={user} />
            {`${words.joined(when(user.createdAt))}, ${words.changed(when(user.updatedAt))}`}
          </span>
        }
      >
        <SuspendUser projectRef={ref} user={user} />
        <DeleteUser projectRef={ref} user={user} />
      </Head>
      {user.suspended && <p className={css.notice}>{words.isSuspended}</p>}
      <Copyable label={words.id} text={user.id} />
      <Section title={words.account}>
        <div>
          <UserAccount projectRef={ref} user={user} />
        </div>
      </Section>
      <Fields projectRef={ref} user={user} part="data" />
      <Fields projectRef={ref} user={user} part="claims" />
      <UserAccess projectRef={ref} user={user} />
      <UserWaysIn projectRef={ref} userId={user.id} />
      <UserSessions projectRef={ref} userId={user.id} />
    </>
  );
}

interface FieldsProps {
  readonly projectRef: string;
  readonly user: AppUser;
  readonly part: 'data' | 'claims';
}

const about = {
  data: { title: words.data, lead: words.dataText, label: words.dataAsJson },
  claims: { title: words.claims, lead: words.claimsText, label: words.claimsAsJson },
} as const;

function Fields({ projectRef, user, part }: FieldsProps) {
  const change = useChangeUser(projectRef, user.id);
  const say = useToast();
  const { title, lead, label } = about[part];
  return (
    <Section title={title} lead={lead}>
      <JsonForm
        label={label}
        stored={user[part]}
        isPending={change.isPending}
        error={change.error}
        onSave={(fields, done) =>
          change.mutate([{ [part]: changesTo(user[part], fields) }], {
            onSuccess: () => {
              done();
              say({ text: words.saved });
            },
          })
        }
      />
    </Section>
  );
}
