import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { folderQuery, storageQuery } from '../../api/files.ts';
import { projectQuery } from '../../api/projects.ts';
import { Page } from '../../frame/page.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Head } from '../../kit/head.tsx';
import { LoadMore } from '../../kit/load-more.tsx';
import { NameDialog } from '../../kit/name-dialog.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Switch } from '../../kit/switch.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import { FileDialog } from './file-dialog.tsx';
import css from './files-page.module.css';
import { FolderPath, Folders, Tiles } from './folder.tsx';
import { UploadList } from './upload-list.tsx';
import { Usage, usageLine } from './usage.tsx';
import { useDroppedFiles } from './use-dropped-files.ts';
import { useUploads } from './use-uploads.ts';

const { files: words } = texts;

export function FilesPage() {
  const { ref } = useParams({ from: '/signed-in/p/$ref/files' });
  const { path = '', file } = useSearch({ from: '/signed-in/p/$ref/files' });
  const navigate = useNavigate();
  const go = (search: { readonly path?: string; readonly file?: string }) =>
    void navigate({ to: '/p/$ref/files', params: { ref }, search });
  const folder = useInfiniteQuery(folderQuery(ref, path));
  const { data: usage } = useQuery(storageQuery(ref));
  const { sendings, upload, forget } = useUploads(ref);
  const [isPrivate, setPrivate] = useState(false);
  const [isNaming, setNaming] = useState(false);
  const send = (files: readonly File[]) => void upload(files, { path, isPrivate });
  const isOver = useDroppedFiles(send);
  const files = folder.data?.pages.flatMap(({ items }) => items) ?? [];
  const folders = folder.data?.pages[0]?.folders ?? [];
  const here = path === '' ? {} : { path };
  return (
    <Page>
      <Head title={words.title} lead={usage && usage.files > 0 ? usageLine(usage) : words.lead}>
        <button type="button" onClick={() => setNaming(true)}>
          {words.newFolder}
        </button>
        <UploadButton onFiles={send} />
      </Head>
      <div className={css.bar}>
        <FolderPath projectRef={ref} path={path} />
        <Switch label={words.asPrivate} hint={words.asPrivateHint} isOn={isPrivate} onChange={setPrivate} />
      </div>
      <UploadList sendings={sendings} onForget={forget} />
      {folder.error && <Problem error={folder.error} onRetry={() => void folder.refetch()} />}
      {folder.isPending && <Wait lines={4} />}
      <Folders projectRef={ref} path={path} folders={folders} />
      <Tiles projectRef={ref} path={path} files={files} />
      <LoadMore of={folder} />
      {folder.isSuccess && files.length + folders.length === 0 && <Nothing projectRef={ref} path={path} />}
      {usage && usage.files > 0 && path === '' && <Usage usage={usage} />}
      {isOver && <div className={css.drop}>{words.dropTo(path)}</div>}
      {file !== undefined && <FileDialog key={file} projectRef={ref} id={file} onClose={() => go(here)} />}
      {isNaming && (
        <NameDialog
          title={words.newFolder}
          label={words.folderName}
          hint={words.folderHint}
          button={words.openFolder}
          isPending={false}
          error={null}
          onSend={(name) => {
            setNaming(false);
            go({ path: `${path}${name.replaceAll(/^\/+|\/+$/g, '')}/` });
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </Page>
  );
}

function UploadButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        multiple
        aria-label={words.choose}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // So that the same file can be chosen again.
          event.target.value = '';
        }}
      />
      <button type="button" data-kind="main" onClick={() => input.current?.click()}>
        {words.upload}
      </button>
    </>
  );
}

function Nothing({ projectRef: ref, path }: { readonly projectRef: string; readonly path: string }) {
  const { data: project } = useQuery(projectQuery(ref));
  const url = project?.url ?? `${location.origin}/p/${ref}`;
  const folder = path === '' ? '' : ` -F path=${path}`;
  return (
    <Empty title={path === '' ? words.empty : words.emptyFolder} text={words.emptyText}>
      <Copyable
        label={words.uploadCall}
        text={`curl ${url}/storage/upload -H "X-API-Key: $PLINTH_KEY" -F file=@photo.jpg${folder}`}
      />
    </Empty>
  );
}
