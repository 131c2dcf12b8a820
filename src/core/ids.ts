/** Makes a fresh, unguessable id. Injected wherever a test needs to know the ids. */
export type NewId = () => string;

/** 18 random bytes = 144 bit, more than the 128 that product.md asks of a request id; 24 base64url characters. */
const ID_BYTES = 18;

/** 24 characters of `A-Za-z0-9_-`: short enough for a button value (Discord allows 100) and a file name. */
export const newRandomId: NewId = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
};
