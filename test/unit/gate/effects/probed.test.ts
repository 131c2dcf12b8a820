import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../../../src/gate/effects/classify.ts';

describe('commands that look like reads', () => {
  it.each([
    "curl -w '%output{x}' https://a.example",
    "curl --write-out '%output{>>x}%{http_code}' https://a.example",
    "curl -w'%output{x}' https://a.example",
    "curl -w '%output{x}' -w ok https://a.example",
  ])('writes by a format: %s', (command) => {
    expect(classifyCommand(command).effect).toBe('write');
  });

  it('does not know what a format from elsewhere writes', () => {
    expect(classifyCommand('curl -w "$FORMAT" https://a.example').effect).toBe('unknown');
    expect(classifyCommand("curl -s -o /dev/null -w '%{http_code}' https://a.example").effect).toBe('read');
  });

  it.each(["jq -n 'env'", "jq -n '$ENV.TOKEN'", "jq -n 'env|keys'", "jq --rawfile a .env -n '$a'", 'jq . .env'])(
    'says that jq may read a secret: %s',
    (command) => {
      expect(classifyCommand(command).tags).toContain('secret-read');
    },
  );

  it.each(["jq '.env' f.json", "jq '.scripts.environment' f.json", "jq '.a.env.b' f"])(
    'takes no member of a file for the environment: %s',
    (command) => {
      expect(classifyCommand(command)).toMatchObject({ effect: 'read', tags: [] });
    },
  );

  it.each(['git show HEAD:.env', 'git show main:config/id_rsa', 'git cat-file -p HEAD:.npmrc', 'git log -p -- .env'])(
    'says that a secret is read out of a repository: %s',
    (command) => {
      const { effect, tags } = classifyCommand(command);
      expect(effect).toBe('read');
      expect(tags).toContain('secret-read');
    },
  );
});
