/** A value that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

declare const target: unique symbol;
/** The id of a document of `Collection`. Any string can be passed as one: the difference only exists in types. */
export type Id<Collection extends string = string> = string & { readonly [target]?: Collection };
/** The id of an app user. */
export type UserId = Id<'@user'>;

/** The types that `plinth types` generates for a project. */
export interface ProjectTypes {
  readonly collections: { readonly [name: string]: object };
  readonly user?: { readonly data?: object; readonly claims?: object; readonly role?: string };
  readonly functions?: { readonly [name: string]: (input: never) => unknown };
}

/** A project without known types. */
export interface AnyProject {
  readonly collections: {
    // oxlint-disable-next-line typescript/no-explicit-any -- nothing is known of these
    readonly [name: string]: Record<string, any>;
  };
}

interface SystemFields<Collection extends string> {
  readonly id: Id<Collection>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type CollectionName<P extends ProjectTypes> = keyof P['collections'] & string;

/** A document as it is returned. */
export type Doc<P extends ProjectTypes, C extends CollectionName<P>> = P['collections'][C] & SystemFields<C>;

type Of<P extends ProjectTypes, Part extends string, Otherwise> = P['user'] extends {
  readonly [name in Part]: infer Found;
}
  ? Found
  : Otherwise;

/** The public profile of an app user. */
export interface Profile<P extends ProjectTypes = AnyProject> {
  readonly id: UserId;
  readonly role: Of<P, 'role', string>;
  readonly data: Of<P, 'data', Record<string, unknown>>;
  readonly createdAt: string;
}

/** The complete record of an app user, as seen by the user and by the server. */
export interface User<P extends ProjectTypes = AnyProject> extends Profile<P> {
  readonly email: string | null;
  readonly email_verified: boolean;
  readonly phone?: string | null;
  readonly claims: Of<P, 'claims', Record<string, unknown>>;
  readonly updatedAt: string;
}

/** The collection that an id belongs to. */
export type TargetOf<Value> =
  NonNullable<Value> extends { readonly [target]?: infer Collection }
    ? unknown extends Collection
      ? never
      : Exclude<Collection, undefined>
    : never;

interface Operators {
  readonly $set?: Readonly<Record<string, unknown>>;
  readonly $unset?: Readonly<Record<string, true>> | readonly string[];
  readonly $increment?: Readonly<Record<string, number>>;
  readonly $append?: Readonly<Record<string, unknown>>;
  readonly $addUnique?: Readonly<Record<string, unknown>>;
  readonly $remove?: Readonly<Record<string, unknown>>;
}

/** A file can be passed instead of its future URL. */
type OrFile<Value> = Value | (NonNullable<Value> extends readonly unknown[] ? readonly Blob[] : Blob);

/** A new document. */
export type NewDoc<D> = string extends keyof D
  ? Readonly<Record<string, unknown>>
  : { readonly [Name in keyof D]: OrFile<D[Name]> };

/** Changes to a document: fields to replace, and operators that change a value without reading it first. */
export type Changes<D> = string extends keyof D
  ? Readonly<Record<string, unknown>>
  : { readonly [Name in keyof D]?: OrFile<D[Name]> } & Operators;
