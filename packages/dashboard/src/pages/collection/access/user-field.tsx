import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { findUsersQuery, userQuery } from '../../../api/access.ts';
import { SuggestField } from '../../../kit/suggest-field.tsx';
import { texts } from '../../../texts.ts';

const { access: words } = texts;

interface UserFieldProps {
  readonly projectRef: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Picks an app user: by a part of the address, or by id. */
export function UserField({ projectRef, value, onChange }: UserFieldProps) {
  const isPicked = isId(value);
  const { data: found = [] } = useQuery({
    ...findUsersQuery(projectRef, isPicked ? '' : value),
    placeholderData: keepPreviousData,
  });
  const { data: user } = useQuery({ ...userQuery(projectRef, value), enabled: isPicked });
  return (
    <SuggestField
      label={words.user}
      hint={isPicked && user?.email ? user.email : words.userHint}
      listLabel={words.users}
      value={value}
      suggest={() =>
        isPicked
          ? []
          : found.map(({ id, email, role }) => ({ text: id, label: email ?? id, hint: role ?? '' }))
      }
      onChange={onChange}
    />
  );
}

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
