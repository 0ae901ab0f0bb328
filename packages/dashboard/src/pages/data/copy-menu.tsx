import { useQuery } from '@tanstack/react-query';
import { projectQuery } from '../../api/projects.ts';
import { texts } from '../../texts.ts';
import { callTexts } from './call-texts.ts';
import { MenuItems, Popover } from './menu.tsx';

const { data: words } = texts;

interface CopyMenuProps {
  readonly projectRef: string;
  readonly collection: string;
  readonly filter: string;
  readonly sort: string;
  readonly onCopy: (text: string) => void;
}

/** What is looked at, as a call that an app makes. */
export function CopyMenu({ projectRef, collection, filter, sort, onCopy }: CopyMenuProps) {
  const { data: project } = useQuery(projectQuery(projectRef));
  const address = project?.url ?? `${location.origin}/p/${projectRef}`;
  const calls = callTexts({ address, collection, filter, sort });
  return (
    <Popover button={words.copyCall} hasMenu>
      {(close) => (
        <MenuItems
          label={words.copyCall}
          onLeave={close}
          items={[
            { text: words.copyLink, act: () => onCopy(location.href) },
            { text: words.copyUrl, act: () => onCopy(calls.url) },
            { text: words.copyCurl, act: () => onCopy(calls.curl) },
            { text: words.copyTypeScript, act: () => onCopy(calls.typeScript) },
          ]}
        />
      )}
    </Popover>
  );
}
