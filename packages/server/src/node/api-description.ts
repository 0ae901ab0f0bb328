/** What the OpenAPI document says of the service as a whole. */
export const apiDescription = {
  description: 'Schemaless JSON documents behind a REST interface with a query language in URL parameters.',
  tags: [
    { name: 'Collections', description: 'Named sets of documents.' },
    { name: 'Documents', description: 'JSON objects of any shape.' },
    { name: 'Links', description: 'Which fields hold ids of other records, as far as the service has seen.' },
    { name: 'Indexes', description: 'What keeps filters and sorts fast on large collections.' },
    { name: 'Files', description: 'Uploads, public and signed URLs, images in any size.' },
    { name: 'Realtime', description: 'Changes as they happen, and rooms: see docs/realtime.md.' },
    { name: 'App users', description: 'The people who use the app: sign-up, login, profiles.' },
    { name: 'Sign-in flows', description: 'Verification, password reset, second steps, phone login.' },
    { name: 'Passkeys', description: 'Sign-in with a finger, a face or a PIN instead of a password.' },
    { name: 'Mail templates', description: 'The texts of mails, and your own in their place.' },
  ],
  servers: [
    { url: '/', description: 'The project is the one the credential belongs to.' },
    {
      url: '/p/{ref}',
      description: 'A project’s own address.',
      variables: { ref: { default: 'abcdefghijkl', description: 'The project’s ref.' } },
    },
  ],
};
