import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Field } from '../../kit/field.tsx';
import { texts } from '../../texts.ts';
import { Popover } from './menu.tsx';
import { printFields, type View } from './remembered.ts';
import css from './view-bar.module.css';

const { data: words } = texts;

interface ViewsMenuProps {
  readonly projectRef: string;
  readonly collection: string;
  readonly views: readonly View[];
  /** How it is looked at now. */
  readonly now: Omit<View, 'name'>;
  readonly onViews: (views: readonly View[]) => void;
}

/** Ways to look at a collection, by name. Each is a link, so it can be sent to somebody. */
export function ViewsMenu(props: ViewsMenuProps) {
  return <Popover button={words.views}>{(close) => <Views {...props} onClose={close} />}</Popover>;
}

interface ViewsProps extends ViewsMenuProps {
  readonly onClose: () => void;
}

function Views({ projectRef: ref, collection, views, now, onViews, onClose }: ViewsProps) {
  const [name, setName] = useState('');
  const save = () => {
    if (name.trim() === '') return;
    const view = { ...now, name: name.trim() };
    onViews([...views.filter((one) => one.name !== view.name), view]);
    setName('');
  };
  return (
    <div className={css.views} role="dialog" aria-label={words.views}>
      {views.length === 0 && <p className={css.hint}>{words.noViews}</p>}
      {views.length > 0 && (
        <ul>
          {views.map(({ name: title, filter, sort, columns }) => (
            <li key={title}>
              <Link
                to="/p/$ref/data/$collection"
                params={{ ref, collection }}
                search={{
                  ...(filter && { filter }),
                  ...(sort && { sort }),
                  ...(columns.length > 0 && { columns: printFields(columns) }),
                }}
                onClick={onClose}
              >
                {title}
              </Link>
              <button
                type="button"
                data-kind="bare"
                aria-label={words.forgetView(title)}
                onClick={() => onViews(views.filter((one) => one.name !== title))}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field
          label={words.viewName}
          value={name}
          maxLength={60}
          onChange={(event) => setName(event.target.value)}
        />
        <button>{words.saveView}</button>
      </form>
      <p className={css.note}>{words.viewsHint}</p>
    </div>
  );
}
