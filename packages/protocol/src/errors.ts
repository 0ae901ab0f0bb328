interface ErrorEntry {
  readonly status: 400 | 401 | 403 | 404 | 413 | 416 | 429 | 500 | 503;
  /** When it is answered, for docs/errors.md. */
  readonly when: string;
}

/** Every error the service can answer with. The messages are beside the code that raises them. */
export const errorCatalogue = {
  account_required: {
    status: 401,
    when: 'The call is for accounts: it needs a session or a personal access token, and what was sent is neither, has expired or was ended.',
  },
  account_not_found: { status: 404, when: 'There is no account with this e-mail address.' },
  already_member: { status: 400, when: 'Somebody is invited who works on the project already.' },
  delivery_not_found: {
    status: 404,
    when: 'The webhook or function has no delivery of that id: it never had, or it is too long ago.',
  },
  email_not_verified: {
    status: 403,
    when: 'The account must confirm its e-mail address before it may do this; or an OpenID Connect issuer does not say that it has verified the address.',
  },
  invalid_webhook: {
    status: 400,
    when: 'A webhook is not usable: its URL, its events or its filter. `details.field` names which.',
  },
  invitation_for_another: {
    status: 403,
    when: 'The invitation is for another e-mail address than that of the account.',
  },
  invitation_not_found: { status: 404, when: 'The invitation was used or taken back, or has expired.' },
  member_not_found: { status: 404, when: 'No teammate of the project has this id.' },
  owner_required: { status: 403, when: 'Only the owner of the project may do this.' },
  second_step_required: {
    status: 401,
    when: 'The account has a second factor: the sign-in must send `code` too.',
  },
  login_pending: { status: 404, when: 'Nobody has approved the login of a program yet, or it has expired.' },
  session_required: { status: 403, when: 'Personal access tokens cannot do this: it needs a session.' },
  sign_up_closed: { status: 403, when: 'Accounts are made by invitation, or not at all.' },
  token_not_found: { status: 404, when: 'The account has no personal access token of this id.' },
  token_read_only: { status: 403, when: 'The personal access token may only read.' },
  too_many_deliveries: {
    status: 429,
    when: 'Somebody who is told of this has more waiting than may wait, and is catching up. `Retry-After` says when to go on; nothing was written.',
  },
  too_many_invitations: {
    status: 400,
    when: '100 invitations of a project wait already, or one was mailed 5 times.',
  },
  too_many_tokens: { status: 400, when: 'The account has 100 personal access tokens already.' },
  deploy_failed: {
    status: 400,
    when: 'The code cannot be deployed: a module cannot be loaded or does not say what it is. What ran before goes on. `details.problems` has the file, the message and the stack of each.',
  },
  deployment_not_found: { status: 404, when: 'The project has no deployment of this number; 20 are kept.' },
  function_busy: {
    status: 503,
    when: 'All processes of the function, or of the node, are busy. Try again after `Retry-After`.',
  },
  function_crashed: { status: 500, when: 'The process of the function ended before it answered.' },
  function_failed: {
    status: 500,
    when: 'The function threw. `details.run` names the run, whose log says why; the API key is told at once, in `details.error`.',
  },
  function_not_found: {
    status: 404,
    when: 'The project has no function of this name that answers requests, or, where that is asked for, that runs by itself.',
  },
  function_out_of_memory: { status: 500, when: 'The function needed more memory than it may have.' },
  function_timed_out: { status: 500, when: 'The function did not answer in time and was ended.' },
  functions_off: { status: 503, when: 'This deployment of Plinth runs no functions: the message says why.' },
  functions_unreachable: {
    status: 503,
    when: 'No machine that runs functions can be reached. The function was not called: try again after `Retry-After`.',
  },
  hook_depth: {
    status: 400,
    when: 'Functions have set off one another more than 5 times, by what they wrote or called.',
  },
  hook_failed: {
    status: 400,
    when: 'A hook of the project that runs before this threw, took too long or broke down: nothing was done. `details.hook` names it, `details.run` its run.',
  },
  hook_recursion: {
    status: 400,
    when: 'A hook does, while it runs, what it runs before. `details.hook` names it.',
  },
  hook_refused: {
    status: 400,
    when: 'A hook of the project has refused it: the message is the hook’s. `details.hook` names it to the API key.',
  },
  schedule_not_found: { status: 404, when: 'The project has no schedule of this name.' },
  run_not_found: {
    status: 404,
    when: 'There is no run of a function with this id; they are kept for 7 days.',
  },
  address_not_allowed: {
    status: 403,
    when: 'The API key may be used from certain addresses only, and this is none of them. `details.address` says where the call came from.',
  },
  already_refreshed: {
    status: 400,
    when: 'The refresh token was used within the last 10 seconds, perhaps by another tab. The sign-in goes on with what that call was given.',
  },
  already_verified: { status: 400, when: 'A verification mail is asked for, and the address is verified.' },
  answer_too_large: {
    status: 400,
    when: 'The answer would have more than 4 MB. Lists end early instead, with `hasMore` and `nextCursor`; population cannot. `details.most` is in bytes.',
  },
  api_key_expired: { status: 401, when: 'The API key was good, and its time is over.' },
  api_key_not_found: { status: 404, when: 'The project has no further API key of that id.' },
  api_key_required: {
    status: 403,
    when: 'The call is for the project’s server side: it needs the API key, and the credential sent is not one.',
  },
  authenticator_set_up: {
    status: 400,
    when: 'An authenticator app is in force already: it must be removed before another is set up.',
  },
  batch_item_not_found: {
    status: 400,
    when: 'An item of an atomic batch names a document that is not there. `details.index` says which; nothing was changed.',
  },
  batch_too_large: { status: 400, when: 'A batch holds more than 1,000 items.' },
  body_too_large: {
    status: 413,
    when: 'The body, or the document as it would become, is over its limit (1 MB a document, 16 MB a batch).',
  },
  cell_full: {
    status: 503,
    when: 'The database of the project is as large as its operator allows (`CELL_MAX_BYTES`). Everything can be read and deleted, nothing written.',
  },
  collection_exists: { status: 400, when: 'The project already has a collection of that name.' },
  collection_not_found: { status: 404, when: 'The project has no collection of that name or id.' },
  configuration_too_large: {
    status: 400,
    when: 'The project has more collections, or larger settings, than can be read and changed as one configuration.',
  },
  credential_required: { status: 401, when: 'The call needs an API key or a user token and carries none.' },
  destructive_changes: {
    status: 400,
    when: 'A configuration would delete collections or mail texts, and the call does not say `allowDestructive`. `details.changes` lists them; nothing was changed.',
  },
  document_not_found: {
    status: 404,
    when: 'The collection has no document of that id (that the caller may read).',
  },
  duplicate_value: {
    status: 400,
    when: 'Another document has the same value of a field with a unique index. `details.fields` names the fields, and in a batch `details.index` the item; nothing was changed.',
  },
  email_missing: {
    status: 400,
    when: 'A new app user’s identity provider gives no e-mail address.',
  },
  email_taken: {
    status: 400,
    when: 'Another app user of the project, or another account, has this e-mail address.',
  },
  engine_unavailable: {
    status: 503,
    when: 'A database the service needs cannot be reached. Nothing is known to be wrong with the call: send it again, with an Idempotency-Key if it is a POST.',
  },
  field_not_readable: {
    status: 400,
    when: 'A filter, sort, select or populate touches what the caller may not read. `details.parameter` names it.',
  },
  field_protected: {
    status: 403,
    when: 'The call writes a field that only the API key may write, or changes the owner of a document.',
  },
  file_not_found: {
    status: 404,
    when: 'The project has no such file (that the caller may see), or its URL is not right.',
  },
  file_too_large: {
    status: 413,
    when: 'A file is over what the project’s tier allows. `details.limit` is in bytes.',
  },
  flow_disabled: {
    status: 403,
    when: 'The flow is switched off in this project: `ENABLE_PHONE_LOGIN`, or the setting `allow2faOptOut`.',
  },
  id_not_possible: {
    status: 400,
    when: 'A new document names an id of this collection whose time is more than a minute ahead. Set the clock, or leave `id` out.',
  },
  id_taken: {
    status: 400,
    when: 'A new document names an id that another one has. Leave `id` out to create a copy.',
  },
  idempotency_mismatch: {
    status: 400,
    when: 'The Idempotency-Key was used within 24 hours for a call with another body.',
  },
  identity_not_found: {
    status: 404,
    when: 'The app user is not connected to this identity provider.',
  },
  image_too_large: {
    status: 400,
    when: 'An image has too many pixels or bytes to be resized. Without `w`, `h`, `fit` and `format` it is delivered as it is.',
  },
  image_unreadable: { status: 400, when: 'An image that is to be resized is damaged or cut off.' },
  images_busy: {
    status: 429,
    when: 'Too many images are being resized: by this address in this minute, or by the node at once.',
  },
  index_exists: { status: 400, when: 'The collection has an index of this kind and these fields.' },
  index_not_found: { status: 404, when: 'The collection has no index of that id.' },
  internal_error: { status: 500, when: 'A fault of the service. The request id finds it in the log.' },
  invalid_body: { status: 400, when: 'The body is not JSON, or not of the form the endpoint takes.' },
  invalid_challenge: {
    status: 400,
    when: 'The sign-in that waits for its second step was completed, is past its time, or had too many wrong codes. Log in again.',
  },
  invalid_code: { status: 400, when: 'A one-time code is wrong, used, or past its time.' },
  invalid_collection_name: { status: 400, when: 'A collection cannot have this name.' },
  invalid_credentials: {
    status: 401,
    when: 'The API key or token is unknown, expired, revoked, or of another project.',
  },
  invalid_file_name: {
    status: 400,
    when: 'A file’s name is missing, too long, holds a path, or characters that hide what it is.',
  },
  invalid_idempotency_key: {
    status: 400,
    when: 'The Idempotency-Key header is empty or longer than 255 characters.',
  },
  invalid_index: { status: 400, when: 'The index that is asked for is not one that can be.' },
  invalid_json_value: {
    status: 400,
    when: 'A value cannot be stored unchanged: NUL or half a surrogate pair in a string, a number too large, nesting over 32 levels, or a refused field name.',
  },
  invalid_login: {
    status: 401,
    when: 'E-mail or password is wrong. Which one is not said.',
  },
  invalid_message: {
    status: 400,
    when: 'A message over a realtime connection is not JSON, or not one that there is.',
  },
  invalid_operator: {
    status: 400,
    when: 'A field starting with "$" is not a known operator, or operators are not allowed here.',
  },
  invalid_passkey: {
    status: 400,
    when: 'A passkey is not accepted: it is not known, was not signed right or without a finger or PIN, or its options were used or are past their time. Which one is not said.',
  },
  invalid_path: { status: 400, when: 'A folder is not written as `photos/2026/`.' },
  invalid_query: { status: 400, when: 'A query parameter is not understood. `details.parameter` names it.' },
  invalid_password_hash: {
    status: 400,
    when: 'The hash of a password that is to be imported is of no known form, or would cost too much to verify.',
  },
  invalid_refresh_token: {
    status: 401,
    when: 'The refresh token is unknown, past its time, or its sign-in has ended. Sign in again.',
  },
  invalid_rule: {
    status: 400,
    when: 'A rule of a collection’s settings is not understood. `details.rule` names it.',
  },
  invalid_schema: {
    status: 400,
    when: 'The JSON Schema of a collection’s settings is not usable.',
  },
  invalid_setting: {
    status: 400,
    when: 'A setting of a project is not usable: its name, tier, origins, configs, environment variables or services. `details.setting` names it.',
  },
  invalid_token: {
    status: 400,
    when: 'The token of a mailed link, or the code of a hosted sign-in, is wrong, used, or past its time.',
  },
  invalid_template: {
    status: 400,
    when: 'A text for mails or text messages is not usable: a placeholder is not known, or what the message is for is missing. `details.part` names it.',
  },
  key_in_browser: {
    status: 403,
    when: 'An API key came from a page in a browser, and the project refuses those (`set-browser-keys`).',
  },
  last_login_way: {
    status: 400,
    when: 'The app user could no longer log in: it has no password, no other identity provider and no other passkey.',
  },
  link_expired: { status: 403, when: 'The signed URL of a private file is past its time.' },
  link_not_found: { status: 404, when: 'No link is known in that field.' },
  mail_not_configured: {
    status: 400,
    when: 'The flow needs mail, and neither the server nor the project has a mail server set.',
  },
  message_not_found: { status: 404, when: 'There is no mail or text message of that id.' },
  message_not_retryable: {
    status: 400,
    when: 'The message was sent, its link or code has expired, or nothing is left that could be sent.',
  },
  no_authenticator: { status: 400, when: 'There is no authenticator app to confirm or remove.' },
  no_open_cell: {
    status: 503,
    when: 'A project cannot be created: no cell takes new ones. The operator has to add a cell, or open one.',
  },
  not_an_image: { status: 400, when: '`w`, `h`, `fit` or `format` on the URL of a file that is no image.' },
  not_live: {
    status: 400,
    when: 'A live subscription was asked for with a filter, or under a rule, that goes through a link or compares with the present moment: such a list can be read, not followed.',
  },
  not_ready: {
    status: 503,
    when: 'Only from /readyz: this node is shutting down, its database cannot be reached, or its clock is wrong.',
  },
  oauth_failed: {
    status: 400,
    when: 'A login at an identity provider did not succeed: its code or state is wrong, used or too old, or the provider refuses it or cannot be reached.',
  },
  operator_mismatch: {
    status: 400,
    when: 'An atomic operator met a value it cannot work on (not an array, not a number). Nothing was changed.',
  },
  origin_not_allowed: {
    status: 403,
    when: 'The browser page’s origin is not among the project’s allowed origins.',
  },
  passkey_domain_unknown: {
    status: 400,
    when: 'Nothing says which domain a passkey is for: for app users the Origin of the call or `FRONTEND_URL`, for accounts the address of the dashboard, which must not be a number.',
  },
  passkey_not_found: { status: 404, when: 'The signed-in user has no passkey of that id.' },
  phone_taken: { status: 400, when: 'Another app user of the project signs in with this phone number.' },
  populate_too_large: {
    status: 400,
    when: 'Population would return more than 1,000 linked records.',
  },
  project_not_found: { status: 404, when: 'There is no project of that ref.' },
  project_unknown: {
    status: 401,
    when: 'Neither address nor credential says which project the call is for.',
  },
  provider_not_found: {
    status: 404,
    when: 'The project has no identity provider of that name.',
  },
  query_too_broad: {
    status: 400,
    when: 'Through links, a query (with the rules that apply to it) would look into more than 200 places or compare with more than 10,000 values.',
  },
  query_too_slow: { status: 400, when: 'The query ran past its time budget.' },
  range_not_satisfiable: { status: 416, when: 'The Range header asks for bytes beyond the end of the file.' },
  quota_exceeded: {
    status: 403,
    when: 'The project has used what its tier gives. `details` has the `quota`, its `limit`, and how much is `used`; `GET /usage` shows all of them.',
  },
  rate_limited: {
    status: 429,
    when: 'Too many calls in this minute. `details.share` says whose are used up, `Retry-After` when to go on.',
  },
  receiver_not_allowed: {
    status: 403,
    when: 'A test mail is to go through the deployment’s mail server to somebody who is not one of the project’s receivers of test mails, or a mail of your own to somebody who is not one of its users either.',
  },
  redirect_uri_not_allowed: {
    status: 400,
    when: 'A login would lead back to an address that is not on one of the project’s allowed origins, or not plainly written.',
  },
  refresh_token_reused: {
    status: 401,
    when: 'The refresh token was used before, so two have it. The sign-in has ended, with all of its tokens. Sign in again.',
  },
  request_not_found: {
    status: 404,
    when: 'The request log has no call of that id: it is too long ago, or was not among those kept of many alike.',
  },
  reserved_key: {
    status: 400,
    when: 'An environment variable cannot have the key of a built-in configuration key. `details.key` names it.',
  },
  role_not_allowed: {
    status: 403,
    when: 'The project does not let app users give themselves this role.',
  },
  room_closed: {
    status: 403,
    when: 'No rule of the project lets the caller into the room.',
  },
  route_not_found: { status: 404, when: 'There is no such path, or not with this method.' },
  rule_denied: {
    status: 403,
    when: 'The collection’s rules do not allow this to the caller.',
  },
  schema_mismatch: {
    status: 400,
    when: 'The document does not fit the collection’s JSON Schema. `details.path` says where.',
  },
  schema_too_slow: {
    status: 400,
    when: 'Checking the documents of the call against the collection’s JSON Schema takes more than 2 seconds altogether, or too much memory. Send fewer documents at once, or make the schema simpler.',
  },
  scope_missing: {
    status: 403,
    when: 'The API key has scopes, and none that allows this call. `details.needed` has the scopes that it lacks.',
  },
  session_not_found: { status: 404, when: 'The signed-in user has no sign-in of that id.' },
  setting_not_found: {
    status: 404,
    when: 'What is to be removed of a project’s services (mail, text messages, identity providers) is not set. `details.setting` names it.',
  },
  sign_in_again: {
    status: 403,
    when: 'The call changes how the account is signed in to: it needs the current password, or a sign-in of the last 15 minutes.',
  },
  sms_not_configured: {
    status: 400,
    when: 'The flow needs text messages, and the project has no gateway for them.',
  },
  snapshot_too_large: {
    status: 400,
    when: 'A snapshot would hold more than 10,000 documents, or more than 16 MB. Narrow the filter, or read pages over REST and subscribe without one.',
  },
  storage_full: {
    status: 413,
    when: 'The file would take the project over the storage of its tier. `details.limit` is in bytes.',
  },
  template_not_found: { status: 404, when: 'There is no mail template of that name and language.' },
  too_many_api_keys: { status: 400, when: 'The project has as many further API keys as it may have.' },
  too_many_codes: {
    status: 429,
    when: 'The account was sent ten codes within a day that were not used.',
  },
  too_many_indexes: { status: 400, when: 'The collection has 20 indexes that were asked for.' },
  too_many_passkeys: { status: 400, when: 'The app user or account has 20 passkeys already.' },
  token_expired: {
    status: 401,
    when: 'The token of the app user was good, and its time is over.',
  },
  too_many_queries: {
    status: 429,
    when: 'Filtered or sorted lists of the project keep each other waiting longer than one may take.',
  },
  too_many_subscriptions: {
    status: 400,
    when: 'A realtime connection has as many subscriptions or rooms as it may have, or a project as many connections.',
  },
  too_many_uploads: { status: 429, when: 'The app user has 10 direct or resumable uploads under way.' },
  too_many_webhooks: { status: 400, when: 'The project has as many webhooks as it may have.' },
  unsupported_file_type: {
    status: 400,
    when: 'The file’s extension is not among those that can be stored, or the content is not what the extension says.',
  },
  upload_busy: {
    status: 429,
    when: 'Another call is working on the same upload, and did not end in time.',
  },
  upload_incomplete: { status: 400, when: 'An upload is confirmed before all of its bytes have arrived.' },
  upload_not_found: {
    status: 404,
    when: 'There is no such upload under way (of this caller): it was finished, given up, or has expired.',
  },
  uploads_closed: { status: 403, when: 'The project’s `uploads` setting leaves uploads to the API key.' },
  user_not_found: {
    status: 404,
    when: 'The project has no app user of that id.',
  },
  user_required: {
    status: 403,
    when: 'The call is for a signed-in app user: it needs a user token.',
  },
  user_suspended: {
    status: 403,
    when: 'The app user is suspended and cannot sign in.',
  },
  variable_not_found: {
    status: 404,
    when: 'The project has no environment variable of that key. `details.key` names it.',
  },
  version_mismatch: {
    status: 400,
    when: 'The document, or the configuration, is no longer at the version that If-Match names. `details.version` is the current one.',
  },
  weak_password: {
    status: 400,
    when: 'The new password is one of the most common ones, such as `password` or `12345678`.',
  },
  webhook_not_found: { status: 404, when: 'The project has no webhook of that id.' },
  wrong_password: {
    status: 400,
    when: 'The current password given is not right.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;
