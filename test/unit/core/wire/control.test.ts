import { describe, expect, it } from 'vitest';
import { serverBoundFrame } from '../../../../src/core/wire/control.ts';

const RESOLVE = { v: 1, kind: 'resolve', id: 'c1', requestId: 'r1', choice: { options: ['q0.o0'] } };

describe('a frame of the control socket', () => {
  it.each([
    RESOLVE,
    { ...RESOLVE, pendingId: 'tool-1', sessionId: 's1' },
    { ...RESOLVE, choice: { options: [], other: 'MariaDB', notes: 'for now' } },
    { ...RESOLVE, choice: { answers: JSON.parse('{"__proto__":"yes"}'), annotations: {} } },
    { ...RESOLVE, choice: { skip: true } },
    { ...RESOLVE, choice: { decline: true } },
    { v: 1, kind: 'pending', id: 'c1' },
    { v: 1, kind: 'find', id: 'c1', requestId: 'r1' },
    { v: 1, kind: 'identify', id: 'c1', pid: 7, inside: 'HANDRAISE_SOCK' },
  ])('is taken to the letter: %j', (frame) => {
    expect(serverBoundFrame.parse(frame)).toEqual(frame);
  });

  it.each([
    ['another version', { ...RESOLVE, v: 2 }],
    ['an unknown kind', { ...RESOLVE, kind: 'grant' }],
    ['an unknown member', { ...RESOLVE, source: 'slack' }],
    ['an unknown member of the choice', { ...RESOLVE, choice: { options: ['q0.o0'], actor: 'U1' } }],
    ['somebody the client says it is', { ...RESOLVE, actor: { platform: 'slack', userId: 'U1' } }],
    ['two choices at once', { ...RESOLVE, choice: { skip: true, decline: true } }],
    ['no choice', { ...RESOLVE, choice: {} }],
    ['answers that are no object', { ...RESOLVE, choice: { answers: ['yes'] } }],
    ['a request id without end', { ...RESOLVE, requestId: 'r'.repeat(257) }],
    ['no id', { v: 1, kind: 'pending' }],
    ['a process id that is none', { v: 1, kind: 'identify', id: 'c1', pid: -1 }],
  ])('is refused with %s', (_, frame) => {
    expect(serverBoundFrame.safeParse(frame).success).toBe(false);
  });
});
