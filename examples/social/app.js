// The app itself. All of it could run in a browser: there is no API key here, only whoever signed in.
import { createClient } from '@plinth/client';

const url = process.env.BASE ?? 'http://localhost:4400';

/** Signs a new user up. What comes back acts as that user. */
export async function signUp(email, password, name) {
  const plinth = createClient({ url });
  await plinth.auth.signUp({ email, password, data: { name } });
  return new Session(plinth);
}

/** Someone who is signed in. */
class Session {
  #plinth;
  #posts;
  #likes;

  constructor(plinth) {
    this.#plinth = plinth;
    this.#posts = plinth.collection('posts');
    this.#likes = plinth.collection('likes');
  }

  get userId() {
    return this.#plinth.auth.user.id;
  }

  /** Adds to the list without reading it first, so two devices can do it at once. */
  async follow(userId) {
    await this.#plinth.auth.update({ data: { $append: { following_ids: userId } } });
  }

  async unfollow(userId) {
    await this.#plinth.auth.update({ data: { $remove: { following_ids: userId } } });
  }

  /** The service writes the author into the post. */
  post(text, status = 'published') {
    return this.#posts.create({ text, status });
  }

  edit(postId, changes) {
    return this.#posts.update(postId, changes);
  }

  myPosts() {
    return this.#posts.where('author_id', this.userId).all();
  }

  /** Once for each post, however often the heart is pressed. */
  async like(postId) {
    const mine = this.#likes.where('post_id', postId).where('user_id', this.userId);
    if ((await mine.count()) === 0) await this.#likes.create({ post_id: postId });
  }

  /** The newest posts of those one follows, each with its author's profile and how many like it. */
  async feed() {
    const { following_ids: following = [] } = this.#plinth.auth.user.data;
    const posts = await this.#posts.where('author_id', 'in', following).populate('author').limit(50).all();
    return Promise.all(
      posts.map(async ({ id, text, author }) => {
        const likes = await this.#likes.where('post_id', id).count();
        return { id, text, author: author.data.name, likes };
      }),
    );
  }
}
