import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/file.ts';
import { DEFAULT_GATE_CONFIG, publishedGate } from '../../../src/config/gate.ts';
import { publish, readPublished } from '../../../src/config/published.ts';

describe('the gate in the configuration', () => {
  it('asks about everything unless something is said', () => {
    expect(DEFAULT_GATE_CONFIG).toEqual({
      writes: 'read_only',
      secretReads: 'ask',
      fetch: 'read',
      trustedCommands: [],
      mcpTools: {},
      sessionGrant: 14_400_000,
    });
    expect(parseConfig('bindings: []', 'f.yaml').gate).toBeUndefined();
  });

  it('is read with the lines it stands on', () => {
    const { gate, origins } = parseConfig('gate:\n  writes: open\n  sessionGrant: 30m\n', 'f.yaml');
    expect(gate).toEqual({ ...DEFAULT_GATE_CONFIG, writes: 'open', sessionGrant: 1_800_000 });
    expect(origins.get('gate.sessionGrant')).toEqual({ from: 'file', name: 'f.yaml:3' });
  });

  it.each([
    ['a trusted command that a shell would expand', 'gate: { trustedCommands: ["rm $X"] }', /plain words/],
    ['an empty trusted command', 'gate: { trustedCommands: [""] }', /plain words/],
    ['an effect nobody knows', 'gate: { mcpTools: { mcp__a__b: maybe } }', /must be read, write, unknown or external/],
    ['a grant without an end', 'gate: { sessionGrant: 48h }', /must be between 1m and 24h/],
    ['a misspelt key', 'gate: { write: open }', /unknown key/],
  ])('refuses %s', (_, text, sentence) => {
    expect(() => parseConfig(text, 'f.yaml')).toThrow(sentence);
  });

  it('reaches owners over a gateway’s lease as it is, and not at all where it is not understood', () => {
    const gate = { ...DEFAULT_GATE_CONFIG, trustedCommands: ['npm test'] };
    const about = { gatewayId: 'g', platform: 'slack', issuedAt: 1, gate } as const;
    const text = publish(about, [], () => undefined);
    expect(readPublished(text)?.gate).toEqual(gate);
    expect(publishedGate.safeParse({ ...gate, later: true }).success).toBe(false);
    expect(readPublished(text.replace('"read_only"', '"whatever"'))).toBeUndefined();
  });
});
