/** A part of the image that somebody else, or we, have released. */
export interface Component {
  readonly type: 'library' | 'application';
  readonly name: string;
  readonly version: string;
  /** https://github.com/package-url/purl-spec */
  readonly purl: string;
  /** Names or expressions, as the part itself gives them. */
  readonly licenses: readonly string[];
  /** Of what was fetched. */
  readonly hash: { readonly alg: 'SHA-256' | 'SHA-512'; readonly content: string };
}

/** The bill of materials of an image, as CycloneDX 1.6. It has no time and no random number: equal images have equal ones. */
export function bom(version: string, components: readonly Component[]): object {
  const purl = `pkg:oci/plinth@${version}`;
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'container', 'bom-ref': purl, name: 'plinth', version, purl } },
    components: components
      .toSorted((a, b) => (a.purl < b.purl ? -1 : 1))
      .map(({ licenses, hash, ...component }) => ({
        ...component,
        'bom-ref': component.purl,
        licenses: licenses.map((name) => ({ license: { name } })),
        hashes: [hash],
      })),
  };
}
