/** What is kept on the device: lists, writes that wait, and the numbers of collections. */
type StoreName = 'lists' | 'writes' | 'numbers';

/** IndexedDB, with promises. */
export class Database {
  readonly #db: IDBDatabase;

  constructor(db: IDBDatabase) {
    this.#db = db;
  }

  static async open(name: string): Promise<Database> {
    const request = indexedDB.open(name, 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('lists');
      request.result.createObjectStore('numbers');
      request.result.createObjectStore('writes', { keyPath: 'seq', autoIncrement: true });
    });
    return new Database(await result(request));
  }

  get<Value>(store: StoreName, key: IDBValidKey): Promise<Value | undefined> {
    return result(this.#in(store).get(key) as IDBRequest<Value | undefined>);
  }

  all<Value>(store: StoreName): Promise<Value[]> {
    return result(this.#in(store).getAll() as IDBRequest<Value[]>);
  }

  /** Resolves when it is safe on the device; gives the key. */
  async put(store: StoreName, value: unknown, key?: IDBValidKey): Promise<IDBValidKey> {
    const objects = this.#in(store, 'readwrite');
    const request = objects.put(value, key);
    await committed(objects.transaction);
    return request.result;
  }

  async delete(store: StoreName, key: IDBValidKey | IDBKeyRange): Promise<void> {
    const objects = this.#in(store, 'readwrite');
    objects.delete(key);
    await committed(objects.transaction);
  }

  #in(store: StoreName, mode: IDBTransactionMode = 'readonly'): IDBObjectStore {
    return this.#db.transaction(store, mode).objectStore(store);
  }
}

function result<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed.')));
  });
}

function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    for (const end of ['abort', 'error'])
      transaction.addEventListener(end, () => reject(transaction.error ?? new Error('IndexedDB failed.')));
  });
}
