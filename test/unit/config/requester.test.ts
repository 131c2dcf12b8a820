import { describe, expect, it } from 'vitest';
import { requesterOf } from '../../../src/config/requester.ts';

describe('for whom a run is', () => {
  it('is said by --as before HANDRAISE_REQUESTER, and nobody is where neither is given', () => {
    const env = { HANDRAISE_REQUESTER: ' slack:U0123456789 ' };
    expect(requesterOf('discord:223344556677889900', env)).toBe('discord:223344556677889900');
    expect(requesterOf(undefined, env)).toBe('slack:U0123456789');
    expect(requesterOf(undefined, { HANDRAISE_REQUESTER: '' })).toBeUndefined();
    expect(requesterOf('local:ana', {})).toBe('local:ana');
  });

  it.each(['ana', 'slack:ana', 'slack:', 'discord:12', 'mail:ana@example.org', '*', 'slack:U1 U2', ''])(
    'is not %j, which names nobody',
    (name) => {
      expect(() => requesterOf(name, {})).toThrow(/--as .* names nobody/);
    },
  );
});
