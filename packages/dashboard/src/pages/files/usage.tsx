import type { StorageInfo } from '../../api/files.ts';
import { bytes } from '../../kit/figures.ts';
import { Section } from '../../kit/section.tsx';
import { Table } from '../../kit/table.tsx';
import { texts } from '../../texts.ts';
import css from './files-page.module.css';

const { files: words } = texts;

/** How much there is, in a line. */
export const usageLine = ({ files, used, limit }: StorageInfo): string =>
  words.usage(files, bytes(used), limit === null ? undefined : bytes(limit));

export function Usage({ usage }: { readonly usage: StorageInfo }) {
  const types = Object.entries(usage.byType).toSorted(([, one], [, other]) => other.bytes - one.bytes);
  return (
    <Section title={words.usageTitle}>
      {usage.limit !== null && (
        <meter
          className={css.meter}
          aria-label={words.usageTitle}
          value={usage.used}
          max={usage.limit}
          high={usage.limit * 0.9}
        />
      )}
      <Table label={words.usageByType} heads={[words.type, words.count, words.size]}>
        {types.map(([type, { files, bytes: size }]) => (
          <tr key={type}>
            <td>{type}</td>
            <td>{files.toLocaleString('en')}</td>
            <td>{bytes(size)}</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
