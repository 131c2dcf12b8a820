import { format, inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/config/secret.ts';

describe('a secret', () => {
  const secret = new Secret('the-token');

  it('is given out only when asked for by name', () => {
    expect(secret.reveal()).toBe('the-token');
  });

  it.each([
    ['a template', `${secret}`],
    ['a concatenation', `${''}${String(secret)}`],
    ['JSON', JSON.stringify({ secret })],
    ['inspect', inspect({ secret }, { showHidden: true })],
    ['format', format('%s %o %j', secret, secret, secret)],
    ['its keys', Object.keys(secret).join()],
    ['an error message', new Error(`bad ${secret}`).message],
  ])('is stars in %s', (_, printed) => {
    expect(printed).not.toContain('the-token');
  });
});
