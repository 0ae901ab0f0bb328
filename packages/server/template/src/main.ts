import { createClient, isPlinthError } from '@plinth/client';
import type { Project } from './project';

// The URL of `plinth dev`. In production, set it to the URL of your project.
const url: string = import.meta.env.VITE_PLINTH_URL ?? 'http://localhost:4400';
const plinth = createClient<Project>({ url });
const todos = plinth.collection('todos');

const part = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const signIn = part<HTMLFormElement>('sign-in');
const add = part<HTMLFormElement>('add');

/** Does what the user asked for, and shows the error if it fails. */
async function attempt(work: Promise<unknown>): Promise<boolean> {
  part('failure').textContent = '';
  try {
    await work;
    return true;
  } catch (error) {
    if (!isPlinthError(error)) throw error;
    part('failure').textContent = error.message;
    return false;
  }
}

async function signInWith(button: HTMLButtonElement): Promise<void> {
  const person = {
    email: part<HTMLInputElement>('email').value,
    password: part<HTMLInputElement>('password').value,
  };
  const isNew = button.value === 'signUp';
  if (await attempt(isNew ? plinth.auth.signUp(person) : plinth.auth.logIn(person))) signIn.reset();
}

async function addTodo(): Promise<void> {
  const text = part<HTMLInputElement>('text').value.trim();
  if (text !== '' && (await attempt(todos.create({ text, done: false })))) add.reset();
}

signIn.addEventListener('submit', (event) => {
  event.preventDefault();
  void signInWith(event.submitter as HTMLButtonElement);
});
part('log-out').addEventListener('click', () => void attempt(plinth.auth.logOut()));
add.addEventListener('submit', (event) => {
  event.preventDefault();
  void addTodo();
});

/** A list that the service keeps up to date: what this page writes comes back this way too. */
function showList(): () => void {
  return todos
    .orderBy('createdAt')
    .live()
    .subscribe(({ status, items, error }) => {
      part('status').textContent = error?.message ?? (status === 'live' ? '' : 'Connecting…');
      part('todos').replaceChildren(...items.map(rowOf));
    });
}

function rowOf({ id, text, done }: { id: string; text: string; done: boolean }): HTMLLIElement {
  const box = Object.assign(document.createElement('input'), { type: 'checkbox', checked: done });
  box.addEventListener('change', () => void attempt(todos.update(id, { done: box.checked })));
  const label = document.createElement('label');
  label.append(box, text);
  const remove = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Delete' });
  remove.setAttribute('aria-label', `Delete ${text}`);
  remove.addEventListener('click', () => void attempt(todos.delete(id)));
  const row = document.createElement('li');
  row.append(label, remove);
  return row;
}

let stop: (() => void) | undefined;
plinth.auth.subscribe(({ status, user }) => {
  signIn.hidden = status !== 'signed-out';
  part('list').hidden = status !== 'signed-in';
  part('who').textContent = user?.email ?? '';
  stop?.();
  stop = status === 'signed-in' ? showList() : undefined;
});
