import { Switch } from '../../kit/switch.tsx';
import { texts } from '../../texts.ts';
import { Popover } from './menu.tsx';
import css from './view-bar.module.css';

const { data: words } = texts;

export interface MoreMenuProps {
  readonly isAsking: boolean;
  readonly onAsking: (isAsking: boolean) => void;
}

/** How the grid behaves, in this browser. */
export function MoreMenu({ isAsking, onAsking }: MoreMenuProps) {
  return (
    <Popover button={words.more}>
      {() => (
        <div className={css.more} role="dialog" aria-label={words.more}>
          <Switch label={words.ask} hint={words.askHint} isOn={isAsking} onChange={onAsking} />
        </div>
      )}
    </Popover>
  );
}
