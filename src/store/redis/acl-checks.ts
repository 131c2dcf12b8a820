import type { Keys } from './keys.ts';

/** A command as it would be sent, none of which ever is: the server only says whether it would run it. */
export type Command = readonly [name: string, ...args: string[]];

/** What a Redis user has to be able to do, or must not be able to do; any one of the commands stands for all of it. */
export interface Ability {
  /** Follows "may" or "may not". */
  readonly what: string;
  readonly commands: readonly Command[];
}

/** Nobody has a request, an owner or a session of this name. */
const NOBODY = 'doctor';

/** What opening a request, waiting for it and ending it takes. */
export function ownersNeeds(keys: Keys): readonly Ability[] {
  const { req, close, verdict, cards, failures, posting, grant, revoked, lifted } = requestKeys(keys);
  const channel = keys.ownerChannel(NOBODY);
  return [
    {
      what: 'connect and run scripts',
      commands: [['PING'], ['TIME'], ['CLIENT', 'SETNAME', NOBODY], ...scripts(req, close)],
    },
    {
      what: 'open, wait for and end requests',
      commands: [
        ...writes('hash', req),
        ...writes('hash', close),
        ...[keys.unfinished, keys.due, keys.work].flatMap((key) => writes('sorted set', key)),
        ['SADD', keys.ownersRequests(NOBODY), '1'],
        ['RPUSH', keys.session(NOBODY, 'queue'), '1'],
        ['SET', keys.session(NOBODY, 'shown'), '1'],
        ['HSET', keys.session(NOBODY, 'pending'), '1', '1'],
      ],
    },
    {
      what: 'read answers and cards',
      commands: [
        ['HGET', verdict, 'verdict'],
        ['LRANGE', cards, '0', '-1'],
        ['LRANGE', failures, '0', '-1'],
        ['EXISTS', posting],
      ],
    },
    {
      what: 'record, use and end grants',
      commands: [
        ...writes('hash', grant),
        ['HINCRBY', grant, 'uses', '1'],
        ...[keys.grants, keys.session(NOBODY, 'grants')].flatMap((key) => writes('sorted set', key)),
        ['SET', keys.session(NOBODY, 'salt'), '1'],
        ['GET', revoked],
        ['EXISTS', lifted],
      ],
    },
    { what: 'write audit rows', commands: [['XADD', keys.audit, '*', 'row', '{}']] },
    {
      what: 'wake gateways and be woken',
      commands: [
        ['SUBSCRIBE', channel],
        ['PUBLISH', channel, '1'],
        ['PUBLISH', keys.requestsChannel, '1'],
      ],
    },
    { what: 'hold its lease', commands: writes('sorted set', keys.owners) },
    {
      what: 'see the gateways',
      commands: [
        ['ZRANGEBYSCORE', keys.gateways, '0', '1'],
        ['HGET', keys.gatewayBodies, '1'],
      ],
    },
  ];
}

/** What would let an agent that has the owner's user answer itself, or hide that it did. */
export function ownersExcesses(keys: Keys): readonly Ability[] {
  const { verdict, cards, failures, posting, settled, refused } = requestKeys(keys);
  return [
    { what: 'record answers', commands: [...writes('hash', verdict), ['SET', verdict, '1'], ...scripts(verdict)] },
    {
      what: 'say that a card was posted',
      commands: [
        ...[cards, failures].map((key): Command => ['RPUSH', key, '1']),
        ...[posting, keys.threads(NOBODY)].flatMap((key) => writes('hash', key)),
        ['SADD', settled, '1'],
        ['SADD', refused, '1'],
      ],
    },
    {
      what: 'pass for a gateway',
      commands: [...writes('sorted set', keys.gateways), ...writes('hash', keys.gatewayBodies)],
    },
    {
      what: 'read, cut or seal the audit',
      commands: [
        ['XRANGE', keys.audit, '-', '+'],
        ['XTRIM', keys.audit, 'MAXLEN', '0'],
        ['DEL', keys.audit],
        ['HSET', keys.seal, '1', '1'],
        ['SET', keys.sealer, '1'],
      ],
    },
    {
      what: 'read or write what others keep in this Redis',
      commands: [
        ['GET', 'elsewhere'],
        ['SET', 'elsewhere', '1'],
      ],
    },
    {
      what: 'empty or reconfigure the server',
      commands: [['FLUSHALL'], ['CONFIG', 'SET', 'save', ''], ['ACL', 'SETUSER', NOBODY], ['REPLICAOF', 'NO', 'ONE']],
    },
  ];
}

/** What posting, recording answers, sweeping and sealing take; besides what owners do. */
export function gatewaysNeeds(keys: Keys): readonly Ability[] {
  const { verdict, cards, failures, posting, settled, refused, revoked, lifted } = requestKeys(keys);
  return [
    ...ownersNeeds(keys),
    {
      what: 'take grants back',
      commands: [
        ['SET', revoked, '1'],
        ['SET', lifted, '1'],
      ],
    },
    { what: 'record answers', commands: [...writes('hash', verdict), ...scripts(verdict)] },
    {
      what: 'record cards',
      commands: [
        ...[cards, failures].map((key): Command => ['RPUSH', key, '1']),
        ...[posting, keys.threads(NOBODY)].flatMap((key) => writes('hash', key)),
        ['SADD', settled, '1'],
        ['SADD', refused, '1'],
      ],
    },
    {
      what: 'hold its lease',
      commands: [...writes('sorted set', keys.gateways), ...writes('hash', keys.gatewayBodies)],
    },
    { what: 'hear of requests', commands: [['SUBSCRIBE', keys.requestsChannel]] },
    {
      what: 'seal the audit',
      commands: [
        ['XRANGE', keys.audit, '-', '+'],
        ['XTRIM', keys.audit, 'MINID', '0'],
        ['HSET', keys.seal, '1', '1'],
        ['SET', keys.sealer, '1'],
      ],
    },
  ];
}

function requestKeys(keys: Keys) {
  const key = (part: Parameters<Keys['request']>[1]) => keys.request(NOBODY, part);
  return {
    req: key('req'),
    close: key('close'),
    verdict: key('verdict'),
    cards: key('cards'),
    failures: key('failures'),
    posting: key('posting'),
    settled: key('settled'),
    refused: key('refused'),
    grant: key('grant'),
    revoked: key('revoked'),
    lifted: key('lifted'),
  };
}

function scripts(...keys: string[]): Command[] {
  return [['EVALSHA', '0'.repeat(40), String(keys.length), ...keys]];
}

function writes(type: 'hash' | 'sorted set', key: string): Command[] {
  return type === 'hash'
    ? [
        ['HSET', key, '1', '1'],
        ['PEXPIRE', key, '1'],
      ]
    : [
        ['ZADD', key, '1', '1'],
        ['ZREM', key, '1'],
      ];
}
