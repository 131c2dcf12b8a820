import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import { expect, test } from 'vitest';
import { surfaceError } from '../../../../adapters/slack/errors.ts';

const refused = (error: string, more: object = {}) => new WebAPIPlatformError({ ok: false, error, ...more });

test.each([
  ['missing_scope', { needed: 'channels:history' }, /Add the scope channels:history .*reinstall/],
  ['not_in_channel', {}, /\/invite @handraise/],
  ['channel_not_found', {}, /channel id/],
  ['is_archived', {}, /Unarchive/],
  ['invalid_auth', {}, /SLACK_BOT_TOKEN .*copy it again/],
  ['account_inactive', {}, /install it again/],
  ['not_allowed_token_type', {}, /swapped/],
  ['restricted_action', {}, /does not let apps post/],
])('%s is permanent and comes with its cure', (code, more, cure) => {
  const error = surfaceError(refused(code, more), 'chat.postMessage');
  expect(error).toMatchObject({ platformCode: code, permanent: true, ambiguous: false });
  expect(error.hint).toMatch(cure);
});

test('names the other token when it was that one', () => {
  expect(surfaceError(refused('invalid_auth'), 'apps.connections.open', 'app').hint).toContain('SLACK_APP_TOKEN');
  expect(
    surfaceError(refused('missing_scope', { needed: 'connections:write' }), 'apps.connections.open', 'app').hint,
  ).toMatch(/connections:write .*app-level token/);
});

test('a rate limit says how long to wait', () => {
  const error = surfaceError(new WebAPIRateLimitedError(7), 'chat.postMessage');
  expect(error).toMatchObject({ retryAfterMs: 7_000, permanent: false, ambiguous: false });
});

const fetchFailed = (code: string) =>
  new WebAPIRequestError(new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) }));

test.each([
  ['a lost reply', fetchFailed('UND_ERR_SOCKET'), true],
  ['a reset connection', fetchFailed('ECONNRESET'), true],
  ['no answer in time', new WebAPIRequestError(new DOMException('late', 'TimeoutError')), true],
  ['a body that broke off', new DOMException('late', 'TimeoutError'), true],
  ['a gateway error', new WebAPIHTTPError(502, 'Bad Gateway', {}), true],
  ['an internal error of Slack', refused('internal_error'), true],
  ['a page of a proxy instead of JSON', refused('<html>Sign in</html>'), true],
  ['something unheard of', new Error('boom'), true],
  ['a refused connection', fetchFailed('ECONNREFUSED'), false],
  ['an unknown host', fetchFailed('ENOTFOUND'), false],
  ['an HTTP refusal', new WebAPIHTTPError(403, 'Forbidden', {}), false],
  ['an ordinary refusal', refused('no_text'), false],
])('%s leaves open whether it happened: %s', (_, thrown, ambiguous) => {
  const error = surfaceError(thrown, 'chat.postMessage');
  expect(error.ambiguous).toBe(ambiguous);
  expect(error.message).not.toContain('<html>');
});
