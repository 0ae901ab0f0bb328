import { Link } from '@tanstack/react-router';
import { Switch } from '../../kit/switch.tsx';
import { texts } from '../../texts.ts';
import { Popover } from './menu.tsx';
import css from './view-bar.module.css';

const { data: words } = texts;

export interface MoreMenuProps {
  readonly projectRef: string;
  readonly collection: string;
  readonly filter: string;
  readonly isAsking: boolean;
  readonly onAsking: (isAsking: boolean) => void;
}

/** Whose eyes the documents are seen with, and how the grid behaves, in this browser. */
export function MoreMenu({ projectRef: ref, collection, filter, isAsking, onAsking }: MoreMenuProps) {
  return (
    <Popover button={words.more}>
      {() => (
        <div className={css.more} role="dialog" aria-label={words.more}>
          <Switch label={words.ask} hint={words.askHint} isOn={isAsking} onChange={onAsking} />
          <Link
            to="/p/$ref/data/$collection/rules"
            params={{ ref, collection }}
            search={{ as: 'nobody', action: 'read', see: true, ...(filter && { query: filter }) }}
            preload={false}
          >
            {words.seeAs}
          </Link>
        </div>
      )}
    </Popover>
  );
}
