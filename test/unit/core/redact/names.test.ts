import { describe, expect, it } from 'vitest';
import { environmentSecrets } from '../../../../src/core/redact/known.ts';
import { suspicionOf } from '../../../../src/core/redact/names.ts';

describe('the name of a setting', () => {
  it.each([
    ...[
      'PASSWORD',
      'dbPassword',
      'db.password',
      'PGPASSWORD',
      'X-Auth-Token',
      'apiKey',
      'client_secret',
      'SECRET_KEY_BASE',
    ],
    ...['DB_PASSWORD_PROD', 'ansible_become_pass', 'AccountKey', 'token2', 'requirepass', '_authToken', 'storepass'],
  ])('%s says that its value is secret', (name) => {
    expect(suspicionOf(name)).toBe('surely');
  });

  it.each([
    ...[
      'public_key',
      'PRIMARY_KEY',
      'token_count',
      'max_tokens_count',
      'PASSWORD_FILE',
      'tokenizer',
      'author',
      'bypass',
    ],
    ...['secretName', 'token_url', 'cache_key', 'password-stdin', 'keyboard', 'GIT_AUTHOR_NAME', 'secretKeyRef'],
  ])('%s says nothing of the kind', (name) => {
    expect(suspicionOf(name)).toBeUndefined();
  });
});

describe('secrets of an environment', () => {
  const password = ['hunter2', 'correct8942'].join('');

  it('are what is named like one, and passwords in URLs', () => {
    const found = environmentSecrets({
      API_TOKEN: password,
      DATABASE_URL: `postgres://app:${password}9@db/x`,
      HOME: '/root',
    });
    expect(found.map(({ value }) => value)).toEqual([password, `${password}9`]);
  });

  it('are no plain words, paths or switches: those would hide programs and hosts', () => {
    const none = {
      DB_PASSWORD: 'postgres',
      SSH_KEY: '/home/a/.ssh/id_rsa',
      USE_TOKEN: 'true',
      SESSION_TOKEN: '',
      KEY: 'value',
    };
    expect(environmentSecrets(none)).toEqual([]);
  });
});
