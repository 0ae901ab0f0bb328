import type { CollectionShape, FieldShape } from '@plinth/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Place, shapeQuery } from '../../api/collection.ts';
import { Empty } from '../../kit/empty.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Table } from '../../kit/table.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import { CollectionPage } from './collection-page.tsx';
import { SchemaEditor } from './schema-editor.tsx';
import css from './schema-page.module.css';
import { StoredDocuments } from './stored-documents.tsx';
import { usePlace } from './use-place.ts';

const { schema: words } = texts;

/** What documents have, and what they must have. */
export function SchemaPage() {
  const place = usePlace('schema');
  const { data: shape, error } = useQuery(shapeQuery(place));
  return (
    <CollectionPage place={place}>
      {({ id, settings }) => (
        <>
          <Section
            title={words.shape}
            {...(shape && shape.sampled > 0 && { lead: words.shapeText(shape.sampled, shape.isComplete) })}
          >
            {error && <Problem error={error} />}
            {!shape && !error && <Wait />}
            {shape && <ShapeTable place={place} shape={shape} />}
          </Section>
          <SchemaEditor key={id} place={place} schema={settings.schema} shape={shape} />
          {settings.schema && <StoredDocuments place={place} schema={settings.schema} />}
        </>
      )}
    </CollectionPage>
  );
}

function ShapeTable({ place, shape }: { readonly place: Place; readonly shape: CollectionShape }) {
  if (shape.fields.length === 0) return <Empty title={words.noShape} text={words.noShapeText} />;
  return (
    <>
      <Table
        label={words.fields}
        heads={[words.field, words.types, words.share, words.examples, words.links]}
      >
        {shape.fields.map((field) => (
          <FieldRow key={field.path} place={place} field={field} />
        ))}
      </Table>
      {shape.hasMore && <p>{words.more}</p>}
    </>
  );
}

const percent = (part: number) => `${Math.round(part * 100)} %`;
const mostExamples = 4;

function FieldRow({ place, field }: { readonly place: Place; readonly field: FieldShape }) {
  const { path, types, share, examples, values, links } = field;
  return (
    <tr>
      <td>
        <code>{path}</code>
      </td>
      <td>{typesText(types)}</td>
      <td>{percent(share)}</td>
      <td className={css.examples}>{(values ?? examples).slice(0, mostExamples).map(String).join(', ')}</td>
      <td>
        {links?.map((name) => (
          <LinkTarget key={name} projectRef={place.projectRef} name={name} />
        ))}
      </td>
    </tr>
  );
}

/** “string”, or “string 90 %, null 10 %” where there are several. */
function typesText(types: FieldShape['types']): string {
  const entries = Object.entries(types).toSorted(([, a], [, b]) => b - a);
  if (entries.length === 1) return entries[0]?.[0] ?? '';
  return entries.map(([type, part]) => `${type} ${percent(part)}`).join(', ');
}

function LinkTarget({ projectRef: ref, name }: { readonly projectRef: string; readonly name: string }) {
  if (name === '@user') return <span>{words.users}</span>;
  return (
    <Link to="/p/$ref/data/$collection" params={{ ref, collection: name }} search={{}}>
      {name}
    </Link>
  );
}
