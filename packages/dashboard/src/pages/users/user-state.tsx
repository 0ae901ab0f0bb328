import type { AppUser } from '../../api/users.ts';
import { Tag } from '../../kit/tag.tsx';
import { texts } from '../../texts.ts';
import css from './users-page.module.css';

const { users: words } = texts;

/** Whether somebody can sign in, and whether the address is theirs. */
export function UserState({ user: { email_verified: isVerified, suspended } }: { readonly user: AppUser }) {
  return (
    <>
      {suspended && <Tag tone="bad">{words.suspended}</Tag>}
      {isVerified ? (
        <Tag tone="good">{words.verified}</Tag>
      ) : (
        <span className={css.quiet}>{words.notVerified}</span>
      )}
    </>
  );
}
