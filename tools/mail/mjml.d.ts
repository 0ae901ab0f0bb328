declare module 'mjml' {
  interface Result {
    readonly html: string;
    readonly errors: readonly { readonly formattedMessage: string }[];
  }
  export default function mjml2html(
    source: string,
    options: { fonts: Record<string, string>; validationLevel: 'strict' },
  ): Promise<Result>;
}
