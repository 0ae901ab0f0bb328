// The app itself. All of it could run in a browser: there is no API key here, only the token of whoever signed in.
import { call } from './call.js';

/** Signs a new user up. What comes back acts as that user. */
export async function signUp(email, password, name) {
  const { access_token, user } = await call('POST', '/auth-collections/signup', {
    body: { email, password, data: { name } },
  });
  return new Session(access_token, user.id);
}

/** Someone who is signed in. */
class Session {
  #headers;

  constructor(token, userId) {
    this.#headers = { Authorization: `Bearer ${token}` };
    this.userId = userId;
  }

  /** Adds to the list without reading it first, so two devices can do it at once. */
  async follow(userId) {
    await this.#send('PATCH', '/auth-collections/user', { data: { $append: { following_ids: userId } } });
  }

  async unfollow(userId) {
    await this.#send('PATCH', '/auth-collections/user', { data: { $remove: { following_ids: userId } } });
  }

  /** The service writes the author into the post. */
  async post(text, status = 'published') {
    return (await this.#send('POST', '/collections/posts', { text, status })).data;
  }

  async edit(postId, changes) {
    return (await this.#send('PATCH', `/collections/posts/${postId}`, changes)).data;
  }

  async myPosts() {
    return (await this.#send('GET', `/collections/posts?author_id=${this.userId}`)).data;
  }

  /** Once for each post, however often the heart is pressed. */
  async like(postId) {
    const mine = await this.#send('GET', `/collections/likes?post_id=${postId}&user_id=${this.userId}`);
    if (mine.total === 0) await this.#send('POST', '/collections/likes', { post_id: postId });
  }

  /** The newest posts of those one follows, each with its author's profile and how many like it. */
  async feed() {
    const me = await this.#send('GET', '/auth-collections/user');
    const following = me.data.data.following_ids ?? [];
    if (following.length === 0) return [];
    const posts = await this.#send(
      'GET',
      `/collections/posts?author_id__in=${following.join(',')}&populate=author&limit=50`,
    );
    return Promise.all(
      posts.data.map(async ({ id, text, author }) => {
        const likes = await call('GET', `/collections/likes?post_id=${id}&limit=1`, {
          headers: this.#headers,
        });
        return { id, text, author: author.data.name, likes: likes.total };
      }),
    );
  }

  #send(method, path, body) {
    return call(method, path, { headers: this.#headers, body });
  }
}
