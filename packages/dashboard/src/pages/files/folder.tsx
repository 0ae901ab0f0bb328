import type { FileRecord } from '@plinth/client';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { bytes } from '../../kit/figures.ts';
import { Tag } from '../../kit/tag.tsx';
import { texts } from '../../texts.ts';
import css from './files-page.module.css';
import { isPicture, pictureIn } from './picture.ts';

const { files: words } = texts;

interface OfFolder {
  readonly projectRef: string;
  readonly path: string;
}

/** Where one is: each folder on the way is a link. */
export function FolderPath({ projectRef: ref, path }: OfFolder) {
  const parts = path.split('/').filter(Boolean);
  return (
    <nav className={css.path} aria-label={words.folder}>
      <Link to="/p/$ref/files" params={{ ref }} search={{}} activeOptions={{ exact: true }}>
        {words.top}
      </Link>
      {parts.map((part, n) => {
        const to = `${parts.slice(0, n + 1).join('/')}/`;
        return (
          <Fragment key={to}>
            <span aria-hidden="true">/</span>
            <Link to="/p/$ref/files" params={{ ref }} search={{ path: to }}>
              {part}
            </Link>
          </Fragment>
        );
      })}
    </nav>
  );
}

export function Folders({
  projectRef: ref,
  path,
  folders,
}: OfFolder & { readonly folders: readonly string[] }) {
  if (folders.length === 0) return null;
  return (
    <ul className={css.folders} aria-label={words.folders}>
      {folders.map((folder) => (
        <li key={folder}>
          <Link to="/p/$ref/files" params={{ ref }} search={{ path: folder }} className={css.folder}>
            <svg viewBox="0 0 20 16" aria-hidden="true">
              <path d="M1 2h6l2 2h10v11H1z" />
            </svg>
            {folder.slice(path.length)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

export function Tiles({
  projectRef: ref,
  path,
  files,
}: OfFolder & { readonly files: readonly FileRecord[] }) {
  if (files.length === 0) return null;
  return (
    <ul className={css.tiles} aria-label={words.title}>
      {files.map((file) => (
        <li key={file.id}>
          <Link
            to="/p/$ref/files"
            params={{ ref }}
            search={{ ...(path && { path }), file: file.id }}
            className={css.tile}
          >
            <Thumbnail file={file} />
            <span className={css.fileName}>{file.name}</span>
            <span className={css.quiet}>
              {bytes(file.size)} {file.private && <Tag>{words.private}</Tag>}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Thumbnail({ file }: { readonly file: FileRecord }) {
  const { url, name } = file;
  if (url === null || !isPicture(file))
    return (
      <span className={css.kind} aria-hidden="true">
        {name.split('.').pop()}
      </span>
    );
  return <img className={css.thumbnail} alt="" loading="lazy" src={pictureIn(url, { w: 320, h: 240 })} />;
}
