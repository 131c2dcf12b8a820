import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/file.ts';
import { HandraiseError } from '../../../src/core/errors.ts';

const binding = (lines: string) => `bindings:\n  - match: { workspace: "*" }\n    slack: { channel: C012 }\n${lines}`;

describe('the configuration file', () => {
  it.each([
    ['nothing at all', ''],
    ['only a comment', '# later\n'],
    ['no bindings', 'bindings: []'],
    ['the smallest binding', binding('')],
    ['the signing key of a gateway by its path', 'gateway: { signingKeyFile: ~/gateway.key }'],
    ['keys of gateways', `trust: { verdictKeys: [hrvk1_${'A'.repeat(43)}] }`],
    ['how long the audit is kept', 'audit: { retention: 365d }'],
    ['JSON', '{"bindings":[{"match":{"branch":"main"},"slack":{"channel":"G99"}}]}'],
    [
      'operators of two kinds',
      binding('    questions: { operators: { slackUsers: [U01], localUsers: [ana, uid:1000] } }'),
    ],
    ['operators of this machine alone', binding('    questions: { operators: { localUsers: [ana] } }')],
    ['listed operators', binding('    questions: { operators: { slackUsers: [U01, W02] } }')],
    ['a binding to Discord', 'bindings: [{ match: { agent: "*" }, discord: { channel: "112233445566778899" } }]'],
    [
      'operators of both platforms',
      binding('    questions: { operators: { slackUsers: [U01], discordRoles: ["112233445566778899"] } }'),
    ],
    ['the shortest wait', binding('    questions: { wait: 60s }')],
    ['the longest wait', binding('    questions: { wait: 24h }')],
    [
      'a mode that asks nobody, without a channel',
      'bindings: [{ match: { agent: generic }, questions: { mode: deny } }]',
    ],
    ['a path from the home directory', 'bindings: [{ match: { workspace: "~/code/**" }, slack: { channel: C012 } }]'],
    [
      'every kind of match',
      'bindings: [{ match: { workspace: /a, session: s*, agent: claude-code, branch: "feature/*" }, slack: { channel: C012 } }]',
    ],
  ])('takes %s', (_, text) => {
    expect(() => parseConfig(text, 'f.yaml')).not.toThrow();
  });

  it.each([
    ['broken YAML', 'bindings: [', /f\.yaml:1: /],
    ['a key twice', 'bindings: []\nbindings: []', /f\.yaml:2: .*unique/],
    ['a list at the top', '- a', /f\.yaml:1: the file must be a mapping/],
    ['a mistyped key', 'bindigs: []', /f\.yaml:1: unknown key "bindigs"/, 'Did you mean "bindings"?'],
    [
      'a mistyped key deep inside',
      binding('    questions: { mdoe: ask }'),
      /f\.yaml:4: unknown key "mdoe" in bindings\[0\]\.questions/,
      'Did you mean "mode"?',
    ],
    [
      'a key nothing resembles',
      'colour: red',
      /unknown key "colour"/,
      'Known here: bindings, people, gate, redis, gateway, trust, audit.',
    ],
    ['a key of a later version', 'limits: {}', /limits is not available in this version/, /nothing it promises/],
    ['a retention that is too short', 'audit: { retention: 1d }', /audit\.retention must be between 2d and 3650d/],
    [
      'a quorum of nobody',
      binding('    grants: { quorum: { write: 0 } }'),
      /f\.yaml:4: bindings\[0\]\.grants\.quorum\.write must be at least 1/,
    ],
    ['a requester that is neither', binding('    grants: { requester: maybe }'), /requester must be never or allowed/],
    [
      'a mistyped list of one class',
      binding('    grants: { approvers: { external: { slackUser: [U01] } } }'),
      /unknown key "slackUser" in bindings\[0\]\.grants\.approvers\.external/,
      'Did you mean "slackUsers"?',
    ],
    [
      'a list beside one for each class',
      binding('    grants: { approvers: { write: "*", slackUsers: [U01] } }'),
      /unknown key "slackUsers" in bindings\[0\]\.grants\.approvers/,
    ],
    [
      'a user group by its name',
      binding('    grants: { approvers: { slackGroups: ["@oncall"] } }'),
      /approvers\.slackGroups\[0\] must be the id of a Slack user group/,
    ],
    ['a person with one id', 'people: [{ slack: U01 }]', /people\[0\] links nothing/],
    [
      'an id in two people',
      'people: [{ slack: U01, local: ana }, { slack: U01, local: ben }]',
      /people names one id in two entries/,
    ],
    [
      'a later key of questions',
      binding('    questions: { autoResolve: never }'),
      /bindings\[0\]\.questions\.autoResolve is not available/,
    ],
    [
      'an empty list of user groups',
      binding('    questions: { operators: { slackGroups: [] } }'),
      /operators\.slackGroups lists nobody/,
    ],
    ['a token', 'slackBotToken: abc', /unknown key "slackBotToken"/, /never read from this file/],
    ['bindings that are no list', 'bindings: {}', /bindings must be a list/],
    ['a binding without a match', 'bindings: [{ slack: { channel: C012 } }]', /bindings\[0\]\.match is missing/],
    ['a match of nothing', 'bindings: [{ match: {}, slack: { channel: C012 } }]', /bindings\[0\]\.match names no run/],
    [
      'a workspace that can match no path',
      'bindings: [{ match: { workspace: api }, slack: { channel: C012 } }]',
      /match\.workspace is matched against a whole path/,
    ],
    [
      'an empty pattern',
      'bindings: [{ match: { branch: "" }, slack: { channel: C012 } }]',
      /match\.branch must not be empty/,
    ],
    [
      'a pattern that cannot be read',
      'bindings: [{ match: { branch: "[z-a]" }, slack: { channel: C012 } }]',
      /match\.branch has brackets/,
    ],
    [
      'a pattern that is no text',
      'bindings: [{ match: { branch: 5 }, slack: { channel: C012 } }]',
      /match\.branch must be a text pattern/,
    ],
    ['a binding without a channel', 'bindings: [{ match: { workspace: "*" } }]', /bindings\[0\] names no channel/],
    ['slack without a channel', 'bindings: [{ match: { workspace: "*" }, slack: {} }]', /slack\.channel is missing/],
    [
      'a channel by name',
      'bindings: [{ match: { workspace: "*" }, slack: { channel: "#general" } }]',
      /slack\.channel must be the id of a Slack channel, such as C0123456789/,
    ],
    [
      'a channel that is a number',
      'bindings: [{ match: { workspace: "*" }, slack: { channel: 123 } }]',
      /slack\.channel must be the id/,
    ],
    ['an unknown mode', binding('    questions: { mode: maybe }'), /questions\.mode must be ask or deny/],
    [
      'operators that are a word',
      binding('    questions: { operators: everyone }'),
      /questions\.operators must be "\*" or/,
    ],
    [
      'operators by name',
      binding('    questions: { operators: { slackUsers: ["@ana"] } }'),
      /slackUsers\[0\] must be the id of a Slack user/,
    ],
    ['nobody as operators', binding('    questions: { operators: { slackUsers: [] } }'), /slackUsers lists nobody/],
    [
      'a mistyped kind of operator',
      binding('    questions: { operators: { slackUser: [U01] } }'),
      /unknown key "slackUser"/,
      'Did you mean "slackUsers"?',
    ],
    ['a Redis without a URL', 'redis: {}', /f\.yaml:1: redis\.url is missing/],
    ['an address without a port', 'gateway: { listen: localhost }', /gateway\.listen must be host:port/],
    [
      'a control socket by a relative path',
      'gateway: { controlSocket: run/c.sock }',
      /controlSocket must be an absolute path/,
    ],
    ['no list of operators', binding('    questions: { operators: {} }'), /operators lists nobody/],
    [
      'a user of this machine by an id of a chat',
      binding('    questions: { operators: { localUsers: ["@ana"] } }'),
      /localUsers\[0\] must be the name of a user of this machine/,
    ],
    ['a port that is none', 'gateway: { listen: "localhost:65536" }', /gateway\.listen must be host:port/],
    ['a later key of the gateway', 'gateway: { adminTokens: [] }', /gateway\.adminTokens is not available/],
    ['a key file by a relative path', 'gateway: { signingKeyFile: k }', /gateway\.signingKeyFile must be an absolute/],
    ['a verdict key that is none', 'trust: { verdictKeys: [abc] }', /trust\.verdictKeys\[0\] must be a public key/],
    [
      'a private key among the public ones',
      `trust: { verdictKeys: [hrsk1_${'A'.repeat(43)}] }`,
      /^f\.yaml:1: trust\.verdictKeys\[0\] is a private key, which no run may have: put its public one here \([^A]+$/,
    ],
    ['a wait that is a number', binding('    questions: { wait: 5 }'), /questions\.wait must be a duration/],
    [
      'a wait without a unit',
      binding('    questions: { wait: "5" }'),
      /questions\.wait "5" is not a duration; write for example/,
    ],
    ['a wait below the floor', binding('    questions: { wait: 59s }'), /questions\.wait must be between 60s and 24h/],
    [
      'a wait above the ceiling',
      binding('    questions: { wait: 25h }'),
      /questions\.wait must be between 60s and 24h/,
    ],
  ] as [string, string, RegExp, (string | RegExp)?][])('refuses %s', (_, text, sentence, hint) => {
    const error = refusalOf(() => parseConfig(text, 'f.yaml'));
    expect(error.message).toMatch(sentence);
    expect(error.code).toBe('configuration');
    if (hint !== undefined) expect(error.hint).toMatch(hint);
  });

  it('says where every setting stands and nothing about those that are not there', () => {
    const [read] = parseConfig(binding('    questions:\n      mode: ask\n      wait: 2m\n'), '/etc/f.yaml').bindings;
    expect(read?.origins).toEqual({
      match: { from: 'file', name: '/etc/f.yaml:2' },
      'slack.channel': { from: 'file', name: '/etc/f.yaml:3' },
      'questions.mode': { from: 'file', name: '/etc/f.yaml:5' },
      'questions.wait': { from: 'file', name: '/etc/f.yaml:6' },
    });
  });

  it('tells the shared store, places and key of the gateway and the keys runs believe, and the lines they stand on', () => {
    const key = `hrvk1_${'A'.repeat(43)}`;
    const lines = ['listen: "[::1]:80"', 'controlSocket: /run/c.sock', 'signingKeyFile: /k'].map((line) => `  ${line}`);
    const text = ['redis: { url: redis://u:p@host }', 'gateway:', ...lines, `trust: { verdictKeys: [${key}] }`].join(
      '\n',
    );
    expect(parseConfig(text, 'f.yaml')).toEqual({
      bindings: [],
      redisUrl: 'redis://u:p@host',
      listen: '[::1]:80',
      controlSocket: '/run/c.sock',
      signingKeyFile: '/k',
      verdictKeys: [key],
      origins: new Map([
        ['redis.url', { from: 'file', name: 'f.yaml:1' }],
        ['gateway.listen', { from: 'file', name: 'f.yaml:3' }],
        ['gateway.controlSocket', { from: 'file', name: 'f.yaml:4' }],
        ['gateway.signingKeyFile', { from: 'file', name: 'f.yaml:5' }],
        ['trust.verdictKeys', { from: 'file', name: 'f.yaml:6' }],
      ]),
    });
  });

  it('lists three complaints and counts the rest', () => {
    const error = refusalOf(() => parseConfig('a: 1\nb: 2\nc: 3\nd: 4\ne: 5', 'f.yaml'));
    expect(error.message).toBe(
      'f.yaml:1: unknown key "a"; f.yaml:2: unknown key "b"; f.yaml:3: unknown key "c"; and 2 more',
    );
  });

  it('does not expand aliases without end', () => {
    const bomb = [
      'a: &a [x,x]',
      ...[...'bcdefghij'].map((name, index) => `${name}: &${name} [${`*${'abcdefghij'[index]},`.repeat(20)}]`),
    ];
    expect(refusalOf(() => parseConfig(bomb.join('\n'), 'f.yaml')).code).toBe('configuration');
  });
});

function refusalOf(work: () => unknown): HandraiseError {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof HandraiseError) return thrown;
    throw thrown;
  }
  throw new Error('nothing was refused');
}
