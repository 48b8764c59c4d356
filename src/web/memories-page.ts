import './engram-memories.js';

/*
 * The reference app's own page around the element: who is looking. With tokens it asks for one and keeps it in memory
 * only; without, `?tenant=` and `?user=` name somebody, as the headers of the loopback identity do.
 */
const element = document.querySelector('engram-memories');
const signIn = document.querySelector<HTMLFormElement>('#sign-in');
const token = document.querySelector<HTMLInputElement>('#token');
if (!element || !signIn || !token) throw new Error('The page lacks one of its parts.');

const named = new URLSearchParams(location.search);
const development = Object.fromEntries(
  [
    ['x-tenant-id', named.get('tenant')],
    ['x-user-id', named.get('user')],
  ].filter((entry): entry is [string, string] => entry[1] !== null),
);
if (Object.keys(development).length > 0) element.headers = () => development;

element.addEventListener('engram-unauthenticated', () => {
  if (!signIn.hidden) return;
  signIn.hidden = false;
  token.focus();
});
signIn.addEventListener('submit', (event) => {
  event.preventDefault();
  const authorization = `Bearer ${token.value.trim()}`;
  token.value = '';
  signIn.hidden = true;
  element.headers = () => ({ authorization });
});
