import { codeTexts } from '../../code-texts.ts';
import { SelectField } from '../../kit/field.tsx';
import { CodeFrame } from './code-frame.tsx';
import css from './code-part.module.css';

const { functionCode: words } = codeTexts;

interface BundledProps {
  /** The source map, as it was deployed. */
  readonly map: string;
  /** The name of the function. */
  readonly name: string;
  readonly source: string | undefined;
  readonly onSource: (source: string) => void;
}

/** What a bundle was made of, as far as it was deployed with it. */
export function Bundled({ map, name, source, onSource }: BundledProps) {
  const { names, texts: known } = readMap(map);
  const shown = source !== undefined && known.has(source) ? source : firstOf(Array.from(known.keys()), name);
  if (shown === undefined)
    return (
      <>
        <p>{words.bundledWithout}</p>
        <ul className={css.files}>
          {names.map((one) => (
            <li key={one}>
              <code>{one}</code>
            </li>
          ))}
        </ul>
      </>
    );
  return (
    <>
      <p>{words.bundled}</p>
      {known.size > 1 && (
        <div className={css.choice}>
          <SelectField
            label={words.file}
            words={Object.fromEntries(Array.from(known.keys(), (file) => [file, file]))}
            value={shown}
            onChange={onSource}
          />
        </div>
      )}
      <CodeFrame key={shown} label={shown} text={known.get(shown) ?? ''} />
    </>
  );
}

/** The file that the function is named after. */
const firstOf = (files: readonly string[], name: string): string | undefined =>
  files.find((file) => file.replace(/^.*\/|\.m?[jt]s$/g, '') === name) ?? files[0];

interface SourceMap {
  readonly sources?: readonly string[];
  readonly sourcesContent?: readonly (string | null)[];
}

/** The files of the app itself; what came from packages is left out. */
function readMap(map: string): {
  readonly names: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
} {
  const { sources = [], sourcesContent = [] } = parse(map);
  const own = sources.flatMap((name, at) => (name.startsWith('node_modules/') ? [] : [{ name, at }]));
  const known = own.flatMap(({ name, at }) => {
    const text = sourcesContent[at];
    return typeof text === 'string' ? [[name, text] as const] : [];
  });
  return { names: own.map(({ name }) => name), texts: new Map(known) };
}

/** Whoever deploys may send anything as a map. */
function parse(map: string): SourceMap {
  try {
    return JSON.parse(map) as SourceMap;
  } catch {
    return {};
  }
}
