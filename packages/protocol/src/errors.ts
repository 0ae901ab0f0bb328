interface ErrorEntry {
  readonly status: 400 | 401 | 403 | 404 | 413 | 416 | 429 | 500 | 503;
  /** When it is returned, for docs/errors.md. */
  readonly when: string;
}

/** Every error the service can return. The messages are next to the code that raises them. */
export const errorCatalogue = {
  account_required: {
    status: 401,
    when: 'The endpoint is for accounts: it needs a session or a personal access token, and the credential sent is neither, has expired, or was revoked.',
  },
  account_not_found: { status: 404, when: 'No account has this email address.' },
  already_member: { status: 400, when: 'The invited person is already a member of the project.' },
  delivery_not_found: {
    status: 404,
    when: 'The webhook or function has no delivery with this id: it never existed, or is too old and was deleted.',
  },
  email_not_verified: {
    status: 403,
    when: 'The account must confirm its email address first; or an OpenID Connect issuer does not report the address as verified.',
  },
  invalid_webhook: {
    status: 400,
    when: 'The URL, events or filter of a webhook are not valid. `details.field` names the field.',
  },
  invitation_for_another: {
    status: 403,
    when: 'The invitation is for another email address than that of the account.',
  },
  invitation_not_found: { status: 404, when: 'The invitation was used, was revoked, or has expired.' },
  member_not_found: { status: 404, when: 'The project has no member with this id.' },
  owner_required: { status: 403, when: 'Only the owner of the project can do this.' },
  second_step_required: {
    status: 401,
    when: 'The account has a second factor: sign in with `code` as well.',
  },
  login_pending: { status: 404, when: 'The login of a program has not been approved yet, or has expired.' },
  session_required: { status: 403, when: 'Personal access tokens cannot do this: a session is required.' },
  sign_up_closed: { status: 403, when: 'Sign-up is by invitation only, or closed.' },
  token_not_found: { status: 404, when: 'The account has no personal access token with this id.' },
  token_read_only: { status: 403, when: 'The personal access token is read-only.' },
  too_many_deliveries: {
    status: 429,
    when: 'A subscriber of this change has too many deliveries waiting and is catching up. Nothing was written; retry after `Retry-After`.',
  },
  too_many_invitations: {
    status: 400,
    when: 'The project already has 100 pending invitations, or this invitation was emailed 5 times.',
  },
  too_many_tokens: { status: 400, when: 'The account already has 100 personal access tokens.' },
  deploy_failed: {
    status: 400,
    when: 'The code cannot be deployed: a module cannot be loaded or does not declare what it is. The previous deployment keeps running. `details.problems` has the file, message and stack of each problem.',
  },
  deployment_not_found: {
    status: 404,
    when: 'The project has no deployment with this number; the last 20 are kept.',
  },
  function_busy: {
    status: 503,
    when: 'All processes of the function, or of the node, are busy. Retry after `Retry-After`.',
  },
  function_crashed: { status: 500, when: 'The process of the function exited before it responded.' },
  function_failed: {
    status: 500,
    when: 'The function threw an error. `details.run` is the id of the run, whose log has the cause; requests with the API key also get it in `details.error`.',
  },
  function_not_found: {
    status: 404,
    when: 'The project has no function of this name that handles requests or, where that is asked for, that runs in the background.',
  },
  function_out_of_memory: { status: 500, when: 'The function exceeded its memory limit.' },
  function_timed_out: { status: 500, when: 'The function did not respond in time and was stopped.' },
  functions_off: {
    status: 503,
    when: 'Functions are not available on this deployment of Plinth; the message says why.',
  },
  functions_unreachable: {
    status: 503,
    when: 'No machine that runs functions can be reached. The function was not called: retry after `Retry-After`.',
  },
  hook_depth: {
    status: 400,
    when: 'Functions have triggered one another more than 5 times in a row, through their writes or calls.',
  },
  hook_failed: {
    status: 400,
    when: 'A hook that runs before this operation threw an error, timed out or crashed. Nothing was changed. `details.hook` is the hook, `details.run` its run.',
  },
  hook_recursion: {
    status: 400,
    when: 'A hook performs the operation that it runs before. `details.hook` is the hook.',
  },
  hook_refused: {
    status: 400,
    when: 'A hook of the project rejected the operation; the message comes from the hook. `details.hook` is the hook, for the API key only.',
  },
  schedule_not_found: { status: 404, when: 'The project has no schedule of this name.' },
  run_not_found: {
    status: 404,
    when: 'No function run has this id; runs are kept for 7 days.',
  },
  address_not_allowed: {
    status: 403,
    when: 'The API key is restricted to certain addresses, and the request came from another one, named in `details.address`.',
  },
  already_refreshed: {
    status: 400,
    when: 'The refresh token was used within the last 10 seconds, perhaps by another tab. The session continues with the tokens from that response.',
  },
  already_verified: {
    status: 400,
    when: 'A verification email was requested, but the address is already verified.',
  },
  answer_too_large: {
    status: 400,
    when: 'The response would exceed 4 MB. Lists end early instead, with `hasMore` and `nextCursor`; population cannot. `details.most` is in bytes.',
  },
  api_key_expired: { status: 401, when: 'The API key has expired.' },
  api_key_not_found: { status: 404, when: 'The project has no additional API key with this id.' },
  api_key_required: {
    status: 403,
    when: 'The endpoint is for your server: it needs the API key, and the credential sent is not one.',
  },
  authenticator_set_up: {
    status: 400,
    when: 'An authenticator app is already set up: remove it before setting up another one.',
  },
  batch_item_not_found: {
    status: 400,
    when: 'An item of an atomic batch names a document that does not exist. `details.index` is its position; nothing was changed.',
  },
  batch_too_large: { status: 400, when: 'A batch has more than 1,000 items.' },
  body_too_large: {
    status: 413,
    when: 'The body, or the resulting document, exceeds its limit (1 MB for a document, 16 MB for a batch).',
  },
  cell_full: {
    status: 503,
    when: 'The database of the project has reached the size its operator allows (`CELL_MAX_BYTES`). Reads and deletes still work; writes do not.',
  },
  collection_exists: { status: 400, when: 'The project already has a collection of this name.' },
  collection_not_found: { status: 404, when: 'The project has no collection with this name or id.' },
  configuration_too_large: {
    status: 400,
    when: 'The project has too many collections, or settings that are too large, to be read and changed as one configuration.',
  },
  credential_required: { status: 401, when: 'The request needs an API key or a user token and has neither.' },
  destructive_changes: {
    status: 400,
    when: 'The configuration would delete collections or mail templates, and the request does not set `allowDestructive`. `details.changes` lists them; nothing was changed.',
  },
  document_not_found: {
    status: 404,
    when: 'The collection has no document with this id (that the caller can read).',
  },
  duplicate_value: {
    status: 400,
    when: 'Another document has the same value in a field with a unique index. `details.fields` names the fields and, in a batch, `details.index` the item; nothing was changed.',
  },
  email_missing: {
    status: 400,
    when: 'The identity provider of a new app user did not share an email address.',
  },
  email_taken: {
    status: 400,
    when: 'Another app user of the project, or another account, has this email address.',
  },
  engine_unavailable: {
    status: 503,
    when: 'A database that the service needs cannot be reached. The request itself may be fine: retry it, with an Idempotency-Key if it is a POST.',
  },
  field_not_readable: {
    status: 400,
    when: 'A filter, sort, select or populate uses a field that the caller cannot read. `details.parameter` names the parameter.',
  },
  field_protected: {
    status: 403,
    when: 'The request writes a field that only the API key can write, or changes the owner of a document.',
  },
  file_not_found: {
    status: 404,
    when: 'The project has no such file (that the caller can see), or the URL is wrong.',
  },
  file_too_large: {
    status: 413,
    when: 'The file exceeds the limit of the project’s tier. `details.limit` is in bytes.',
  },
  flow_disabled: {
    status: 403,
    when: 'The flow is turned off in this project: `ENABLE_PHONE_LOGIN`, or the setting `allow2faOptOut`.',
  },
  id_not_possible: {
    status: 400,
    when: 'The `id` of a new document has a timestamp more than a minute in the future. Correct the clock, or omit `id`.',
  },
  id_taken: {
    status: 400,
    when: 'Another document already has the `id` of the new document. Omit `id` to create a copy.',
  },
  idempotency_mismatch: {
    status: 400,
    when: 'The Idempotency-Key was used within the last 24 hours for a request with a different body.',
  },
  identity_not_found: {
    status: 404,
    when: 'The app user is not connected to this identity provider.',
  },
  image_too_large: {
    status: 400,
    when: 'The image has too many pixels or bytes to be resized. Without `w`, `h`, `fit` and `format` it is delivered unchanged.',
  },
  image_unreadable: { status: 400, when: 'The image to resize is damaged or truncated.' },
  images_busy: {
    status: 429,
    when: 'Too many images are being resized: for this address in this minute, or on this node at once.',
  },
  index_exists: { status: 400, when: 'The collection already has an index of this kind on these fields.' },
  index_not_found: { status: 404, when: 'The collection has no index with this id.' },
  internal_error: {
    status: 500,
    when: 'An internal error of the service. Find its cause in the server log by the request id.',
  },
  invalid_body: {
    status: 400,
    when: 'The body is not valid JSON, or does not have the form that the endpoint expects.',
  },
  invalid_challenge: {
    status: 400,
    when: 'The sign-in waiting for its second step was completed, has expired, or had too many wrong codes. Sign in again.',
  },
  invalid_code: { status: 400, when: 'A one-time code is wrong, used or expired.' },
  invalid_collection_name: { status: 400, when: 'The name is not valid for a collection.' },
  invalid_credentials: {
    status: 401,
    when: 'The API key or token is unknown, expired, revoked, or belongs to another project.',
  },
  invalid_file_name: {
    status: 400,
    when: 'The name of a file is missing, too long, contains a path, or contains characters that disguise its type.',
  },
  invalid_idempotency_key: {
    status: 400,
    when: 'The Idempotency-Key header is empty or longer than 255 characters.',
  },
  invalid_index: { status: 400, when: 'The requested index is not valid.' },
  invalid_json_value: {
    status: 400,
    when: 'A value cannot be stored unchanged: NUL or half a surrogate pair in a string, a number that is too large, more than 32 levels of nesting, or a field name that is not allowed.',
  },
  invalid_login: {
    status: 401,
    when: 'Wrong email or password. The error does not reveal which of them is wrong.',
  },
  invalid_message: {
    status: 400,
    when: 'A message on a realtime connection is not valid JSON or of an unknown type.',
  },
  invalid_operator: {
    status: 400,
    when: 'A field starting with "$" is not a known operator, or operators are not allowed here.',
  },
  invalid_passkey: {
    status: 400,
    when: 'The passkey was not accepted: it is unknown, its signature is wrong, the user was not verified by fingerprint or PIN, or its options were used or have expired. The error does not reveal which.',
  },
  invalid_path: { status: 400, when: 'A folder must be written like `photos/2026/`.' },
  invalid_query: { status: 400, when: 'A query parameter is not valid. `details.parameter` names it.' },
  invalid_password_hash: {
    status: 400,
    when: 'The password hash to import has an unknown format, or is too expensive to verify.',
  },
  invalid_refresh_token: {
    status: 401,
    when: 'The refresh token is unknown or expired, or its session has ended. Sign in again.',
  },
  invalid_rule: {
    status: 400,
    when: 'A rule in the settings of a collection is not valid. `details.rule` names it.',
  },
  invalid_schema: {
    status: 400,
    when: 'The JSON Schema in the settings of a collection is not valid.',
  },
  invalid_setting: {
    status: 400,
    when: 'A setting of a project is not valid: its name, tier, origins, configs, environment variables or services. `details.setting` names it.',
  },
  invalid_token: {
    status: 400,
    when: 'The token of an emailed link, or the code of a hosted sign-in, is wrong, used or expired.',
  },
  invalid_template: {
    status: 400,
    when: 'A template for emails or text messages is not valid: a placeholder is unknown, or a required one is missing. `details.part` names the part.',
  },
  key_in_browser: {
    status: 403,
    when: 'An API key was sent by a page in a browser, and the project rejects that (`set-browser-keys`).',
  },
  last_login_way: {
    status: 400,
    when: 'The app user could no longer sign in: it has no password, no other identity provider and no other passkey.',
  },
  link_expired: { status: 403, when: 'The signed URL of a private file has expired.' },
  link_not_found: { status: 404, when: 'The field has no known link.' },
  mail_not_configured: {
    status: 400,
    when: 'The flow needs email, and no mail server is configured for the server or the project.',
  },
  message_not_found: { status: 404, when: 'No email or text message has this id.' },
  message_not_retryable: {
    status: 400,
    when: 'The message was sent, its link or code has expired, or its content is no longer stored.',
  },
  no_authenticator: { status: 400, when: 'There is no authenticator app to confirm or remove.' },
  no_open_cell: {
    status: 503,
    when: 'A project cannot be created: no cell accepts new projects. The operator must add or open a cell.',
  },
  not_an_image: {
    status: 400,
    when: '`w`, `h`, `fit` or `format` was used on the URL of a file that is not an image.',
  },
  not_live: {
    status: 400,
    when: 'A live subscription has a filter, or is subject to a rule, that follows a link or compares with the current time. Such a list can be read, but not subscribed to.',
  },
  not_ready: {
    status: 503,
    when: 'Only from /readyz: this node is shutting down, cannot reach its database, or has a wrong clock.',
  },
  oauth_failed: {
    status: 400,
    when: 'Sign-in at an identity provider failed: the code or state is wrong, used or expired, or the provider rejected the sign-in or could not be reached.',
  },
  operator_mismatch: {
    status: 400,
    when: 'An atomic operator was applied to a value of the wrong type (not an array, not a number). Nothing was changed.',
  },
  origin_not_allowed: {
    status: 403,
    when: 'The origin of the page is not one of the project’s allowed origins.',
  },
  passkey_domain_unknown: {
    status: 400,
    when: 'The domain for a passkey cannot be determined: for app users, it is taken from the Origin header or `FRONTEND_URL`; for accounts, from the address of the dashboard, which must not be an IP address.',
  },
  passkey_not_found: { status: 404, when: 'The signed-in user has no passkey with this id.' },
  phone_taken: { status: 400, when: 'Another app user of the project signs in with this phone number.' },
  populate_too_large: {
    status: 400,
    when: 'Population would return more than 1,000 linked records.',
  },
  project_not_found: { status: 404, when: 'There is no project with this ref.' },
  project_unknown: {
    status: 401,
    when: 'Neither the address nor the credential identifies the project.',
  },
  provider_not_found: {
    status: 404,
    when: 'The project has no identity provider of this name.',
  },
  query_too_broad: {
    status: 400,
    when: 'By following links, the query (with the rules that apply to it) would search more than 200 places or compare with more than 10,000 values.',
  },
  query_too_slow: { status: 400, when: 'The query exceeded its time limit.' },
  range_not_satisfiable: { status: 416, when: 'The Range header requests bytes beyond the end of the file.' },
  quota_exceeded: {
    status: 403,
    when: 'The project has used up a quota of its tier. `details` has the `quota`, its `limit`, and how much is `used`; `GET /usage` shows all quotas.',
  },
  rate_limited: {
    status: 429,
    when: 'Too many requests in this minute. `details.share` says which limit was reached, `Retry-After` when to retry.',
  },
  receiver_not_allowed: {
    status: 403,
    when: 'The deployment’s mail server can only send test emails to the project’s test recipients, and custom emails to those and to the project’s users; this address is neither.',
  },
  redirect_uri_not_allowed: {
    status: 400,
    when: 'The `redirect_uri` of a sign-in is not on one of the project’s allowed origins, or is not a plain URL.',
  },
  refresh_token_reused: {
    status: 401,
    when: 'The refresh token was already used, so someone else may have it. The session has ended, and all its tokens are revoked. Sign in again.',
  },
  request_not_found: {
    status: 404,
    when: 'The request log has no request with this id: it is too old, or was left out because many similar requests were logged.',
  },
  reserved_key: {
    status: 400,
    when: 'The key of an environment variable is reserved for a built-in configuration key. `details.key` names it.',
  },
  role_not_allowed: {
    status: 403,
    when: 'The project does not let app users choose this role themselves.',
  },
  room_closed: {
    status: 403,
    when: 'No rule of the project allows the caller to join the room.',
  },
  route_not_found: { status: 404, when: 'There is no such path, or it does not support this method.' },
  rule_denied: {
    status: 403,
    when: 'The rules of the collection do not allow the caller to do this.',
  },
  schema_mismatch: {
    status: 400,
    when: 'The document does not match the JSON Schema of the collection. `details.path` is the place.',
  },
  schema_too_slow: {
    status: 400,
    when: 'Validating the documents of the request against the JSON Schema of the collection takes more than 2 seconds in total, or too much memory. Send fewer documents at once, or simplify the schema.',
  },
  scope_missing: {
    status: 403,
    when: 'The API key is restricted to scopes, and none of them allows this request. `details.needed` lists the missing scopes.',
  },
  session_not_found: { status: 404, when: 'The signed-in user has no session with this id.' },
  setting_not_found: {
    status: 404,
    when: 'The service of a project to remove (mail, text messages, identity provider) is not set. `details.setting` names it.',
  },
  sign_in_again: {
    status: 403,
    when: 'The request changes how the account signs in: it needs the current password, or a sign-in within the last 15 minutes.',
  },
  sms_not_configured: {
    status: 400,
    when: 'The flow needs text messages, and the project has no gateway for them.',
  },
  snapshot_too_large: {
    status: 400,
    when: 'A snapshot would have more than 10,000 documents, or more than 16 MB. Narrow the filter, or read pages over REST and subscribe without a snapshot.',
  },
  storage_full: {
    status: 413,
    when: 'The file would exceed the storage of the project’s tier. `details.limit` is in bytes.',
  },
  template_not_found: { status: 404, when: 'There is no mail template with this name and language.' },
  too_many_api_keys: { status: 400, when: 'The project has reached its limit of additional API keys.' },
  too_many_codes: {
    status: 429,
    when: 'The account was sent ten codes within a day, and none was used.',
  },
  too_many_indexes: { status: 400, when: 'The collection already has 20 requested indexes.' },
  too_many_passkeys: { status: 400, when: 'The app user or account already has 20 passkeys.' },
  token_expired: {
    status: 401,
    when: 'The token of the app user has expired.',
  },
  too_many_queries: {
    status: 429,
    when: 'Too many filtered or sorted lists of the project run at once, or too many of its requests wait for a database connection.',
  },
  too_many_subscriptions: {
    status: 400,
    when: 'A realtime connection has reached its limit of subscriptions or rooms, or the project its limit of connections.',
  },
  too_many_uploads: {
    status: 429,
    when: 'The app user already has 10 direct or resumable uploads in progress.',
  },
  too_many_webhooks: { status: 400, when: 'The project has reached its limit of webhooks.' },
  unsupported_file_type: {
    status: 400,
    when: 'The extension of the file is not supported, or its content does not match the extension.',
  },
  upload_busy: {
    status: 429,
    when: 'Another request is working on the same upload and did not finish in time.',
  },
  upload_incomplete: { status: 400, when: 'The upload was confirmed before all its bytes had arrived.' },
  upload_not_found: {
    status: 404,
    when: 'There is no such upload in progress (for this caller): it was finished, aborted, or has expired.',
  },
  uploads_closed: {
    status: 403,
    when: 'The project’s `uploads` setting allows uploads with the API key only.',
  },
  user_not_found: {
    status: 404,
    when: 'The project has no app user with this id.',
  },
  user_required: {
    status: 403,
    when: 'The endpoint is for a signed-in app user: it needs a user token.',
  },
  user_suspended: {
    status: 403,
    when: 'The app user is suspended and cannot sign in.',
  },
  variable_not_found: {
    status: 404,
    when: 'The project has no environment variable with this key. `details.key` names it.',
  },
  version_mismatch: {
    status: 400,
    when: 'The document, or the configuration, is no longer at the version in If-Match. `details.version` is the current one.',
  },
  weak_password: {
    status: 400,
    when: 'The new password is one of the most common ones, such as `password` or `12345678`.',
  },
  webhook_not_found: { status: 404, when: 'The project has no webhook with this id.' },
  wrong_password: {
    status: 400,
    when: 'The current password is wrong.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;
