import type { CollectionName, Doc, Profile, ProjectTypes, TargetOf } from './project-types.ts';

/*
 * Paths are never listed, only walked: a union of all paths through all links would have no end, and takes minutes to
 * check in a project of 80 collections. Editors are offered the fields and those of objects in them; whatever else is
 * written is followed step by step, and where it leads nowhere its type says so.
 */

type Element<Value> = NonNullable<Value> extends readonly (infer One)[] ? One : never;

/** The names that the server follows a link by: `author_id` as `author`, `category_ids` as `categories`. */
type LinkNames<Field extends string, Value> = [TargetOf<Element<Value>>] extends [never]
  ? [TargetOf<Value>] extends [never]
    ? never
    : Field | (Field extends `${infer Name}_id` ? Name : never)
  : Field | PluralOf<Field>;
type PluralOf<Field extends string> = Field extends `${infer Name}_ids`
  ?
      | Name
      | `${Name}s`
      | (Name extends `${infer Stem}y` ? `${Stem}ies` : never)
      | (Name extends `${string}${'s' | 'x' | 'z' | 'ch' | 'sh'}` ? `${Name}es` : never)
  : never;

type Known<D> = keyof { [Name in keyof D as string extends Name ? never : Name]: true } & string;
type FieldOf<D, Name> = {
  [Field in Known<D>]: Name extends LinkNames<Field, D[Field]> ? Field : never;
}[Known<D>];
type RecordOf<P extends ProjectTypes, Target> = Target extends '@user'
  ? Profile<P>
  : Target extends CollectionName<P>
    ? Doc<P, Target>
    : never;
type LinkedBy<P extends ProjectTypes, D, Name> =
  FieldOf<D, Name> extends infer Field extends keyof D
    ? [TargetOf<Element<D[Field]>>] extends [never]
      ? RecordOf<P, TargetOf<D[Field]>>
      : RecordOf<P, TargetOf<Element<D[Field]>>>
    : never;
type IsMany<D, Name> =
  FieldOf<D, Name> extends infer Field extends keyof D
    ? [Element<D[Field]>] extends [never]
      ? false
      : true
    : false;

type Head<Path extends string> = Path extends `${infer First}.${string}` ? First : Path;
type Tail<Path extends string, First extends string> = Path extends `${First}.${infer Rest}` ? Rest : never;
/** App users keep their links in `data`. */
type HolderOf<D> = D extends { readonly role: unknown; readonly data: infer Data } ? Data : D;
type Shown<Type> = { [Name in keyof Type]: Type[Name] };

/** A record with its populated links. */
export type Populated<P extends ProjectTypes, D, Paths extends string> = [Paths] extends [never]
  ? D
  : string extends keyof D
    ? D
    : D extends { readonly role: unknown; readonly data: infer Data }
      ? Shown<Omit<D, 'data'> & { readonly data: Populated<P, Data, Paths> }>
      : Shown<
          Omit<D, Head<Paths>> & {
            [Name in Head<Paths>]: IsMany<D, Name> extends true
              ? Populated<P, LinkedBy<P, D, Name>, Tail<Paths, Name>>[]
              : Populated<P, LinkedBy<P, D, Name>, Tail<Paths, Name>> | null;
          }
        >;

type Leaf = string | number | boolean | null | undefined | readonly unknown[];

type OwnPath<D> =
  | Known<D>
  | {
      [Field in Known<D>]: NonNullable<D[Field]> extends Leaf
        ? never
        : `${Field}.${Known<NonNullable<D[Field]>>}`;
    }[Known<D>];
export type FilterPath<D> = string extends keyof D ? string : OwnPath<D> | (string & {});
/** A list cannot be sorted through a link, so these can be listed. */
export type SortPath<D> = string extends keyof D ? string : OwnPath<D> | `-${OwnPath<D>}`;

interface NoSuchField<Path extends string> {
  readonly 'no such field': Path;
}
interface NotALink<Path extends string> {
  readonly 'not a link': Path;
}

type At<P extends ProjectTypes, D, Path extends string> = Path extends keyof D
  ? D[Path]
  : Path extends `${infer First}.${infer Rest}`
    ? First extends keyof D
      ? NonNullable<D[First]> extends Leaf
        ? At<P, LinkedBy<P, D, First>, Rest>
        : At<P, NonNullable<D[First]>, Rest>
      : At<P, LinkedBy<P, D, First>, Rest>
    : never;

/** What a field is compared with: an element if it is an array, a Date too if it is text. */
export type ComparedWith<P extends ProjectTypes, D, Path extends string> = string extends keyof D
  ? string | number | boolean | Date
  : [At<P, D, Path>] extends [never]
    ? NoSuchField<Path>
    : ValueOf<NonNullable<At<P, D, Path>>>;
type ValueOf<Value> = Value extends readonly (infer One)[]
  ? ValueOf<NonNullable<One>>
  : Value extends string
    ? Value | Date
    : Value extends number | boolean
      ? Value
      : never;

/** Is every step of the path a link? */
type LeadsOn<P extends ProjectTypes, D, Path extends string> = string extends keyof D
  ? true
  : [LinkedBy<P, HolderOf<D>, Head<Path>>] extends [never]
    ? false
    : Path extends `${string}.${infer Rest}`
      ? LeadsOn<P, LinkedBy<P, HolderOf<D>, Head<Path>>, Rest>
      : true;
type Links<D> = { [Field in Known<D>]: LinkNames<Field, D[Field]> }[Known<D>];
export type LinkPath<D> = string extends keyof D ? string : Links<HolderOf<D>> | (string & {});
/** The paths themselves, if all of them can be populated; otherwise what is wrong with each. */
export type CheckedLinks<P extends ProjectTypes, D, Paths extends readonly string[]> = {
  [At in keyof Paths]: LeadsOn<P, D, Paths[At]> extends true ? Paths[At] : NotALink<Paths[At]>;
};
