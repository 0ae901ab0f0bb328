import { texts } from '../../texts.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { CopyMenu } from './copy-menu.tsx';
import { MoreMenu, type MoreMenuProps } from './more-menu.tsx';
import { printFields } from './remembered.ts';
import type { Columns } from './use-columns.ts';
import css from './view-bar.module.css';
import { ViewsMenu } from './views-menu.tsx';

interface ViewToolsProps extends MoreMenuProps {
  readonly sort: string;
  readonly columns: Columns;
  readonly onLook: (changes: { readonly columns: string }) => void;
  readonly onCopy: (text: string) => void;
  readonly onExport: () => void;
}

/** How a collection is looked at, and what leaves it. */
export function ViewTools(props: ViewToolsProps) {
  const { projectRef, collection, filter, sort, columns, onLook, onCopy, onExport } = props;
  return (
    <div className={css.tools}>
      <ColumnsMenu
        projectRef={projectRef}
        collection={collection}
        columns={columns}
        onFields={(fields) => {
          columns.keep((now) => ({ ...now, fields }));
          onLook({ columns: fields ? printFields(fields) : '' });
        }}
      />
      <ViewsMenu
        projectRef={projectRef}
        collection={collection}
        views={columns.kept.views}
        now={{ filter, sort, columns: columns.fields }}
        onViews={(views) => columns.keep((now) => ({ ...now, views }))}
      />
      <CopyMenu projectRef={projectRef} collection={collection} filter={filter} sort={sort} onCopy={onCopy} />
      <button type="button" onClick={onExport}>
        {texts.data.export}
      </button>
      <MoreMenu
        projectRef={projectRef}
        collection={collection}
        filter={filter}
        isAsking={props.isAsking}
        onAsking={props.onAsking}
      />
    </div>
  );
}
