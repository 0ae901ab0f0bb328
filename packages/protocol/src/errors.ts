interface ErrorEntry {
  readonly status: 400 | 401 | 403 | 404 | 413 | 429 | 500 | 503;
  /** When it is answered, for docs/errors.md. */
  readonly when: string;
}

/** Every error the service can answer with. The messages are beside the code that raises them. */
export const errorCatalogue = {
  batch_item_not_found: {
    status: 400,
    when: 'An item of an atomic batch names a document that is not there. `details.index` says which; nothing was changed.',
  },
  batch_too_large: { status: 400, when: 'A batch holds more than 1,000 items.' },
  body_too_large: {
    status: 413,
    when: 'The body, or the document as it would become, is over its limit (1 MB a document, 16 MB a batch).',
  },
  collection_exists: { status: 400, when: 'The project already has a collection of that name.' },
  collection_not_found: { status: 404, when: 'The project has no collection of that name or id.' },
  credential_required: { status: 401, when: 'The call needs an API key or a user token and carries none.' },
  document_not_found: {
    status: 404,
    when: 'The collection has no document of that id (that the caller may read).',
  },
  engine_unavailable: {
    status: 500,
    when: 'A database the service needs cannot be reached. Nothing is known to be wrong with the call: send it again, with an Idempotency-Key if it is a POST.',
  },
  idempotency_mismatch: {
    status: 400,
    when: 'The Idempotency-Key was used within 24 hours for a call with another body.',
  },
  internal_error: { status: 500, when: 'A fault of the service. The request id finds it in the log.' },
  invalid_body: { status: 400, when: 'The body is not JSON, or not of the form the endpoint takes.' },
  invalid_collection_name: { status: 400, when: 'A collection cannot have this name.' },
  invalid_credentials: {
    status: 401,
    when: 'The API key or token is unknown, expired, revoked, or of another project.',
  },
  invalid_idempotency_key: {
    status: 400,
    when: 'The Idempotency-Key header is empty or longer than 255 characters.',
  },
  invalid_json_value: {
    status: 400,
    when: 'A value cannot be stored unchanged: NUL or half a surrogate pair in a string, a number too large, nesting over 32 levels, or a refused field name.',
  },
  invalid_operator: {
    status: 400,
    when: 'A field starting with "$" is not a known operator, or operators are not allowed here.',
  },
  invalid_query: { status: 400, when: 'A query parameter is not understood. `details.parameter` names it.' },
  not_ready: {
    status: 503,
    when: 'Only from /readyz: this node is shutting down, or its database cannot be reached.',
  },
  operator_mismatch: {
    status: 400,
    when: 'An atomic operator met a value it cannot work on (not an array, not a number). Nothing was changed.',
  },
  origin_not_allowed: {
    status: 403,
    when: 'The browser page’s origin is not among the project’s allowed origins.',
  },
  project_unknown: {
    status: 401,
    when: 'Neither address nor credential says which project the call is for.',
  },
  query_too_slow: { status: 400, when: 'The query ran past its time budget.' },
  rate_limited: { status: 429, when: 'Too many calls in this minute. `Retry-After` says when to go on.' },
  route_not_found: { status: 404, when: 'There is no such path, or not with this method.' },
  version_mismatch: {
    status: 400,
    when: 'The document is no longer at the version that If-Match names. `details.version` is the current one.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;
