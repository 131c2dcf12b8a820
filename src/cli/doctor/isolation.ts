import { userInfo } from 'node:os';
import { type Examination, roleOf } from './examination.ts';
import { fail, ok, warn } from './finding.ts';

/** Who could read the tokens besides whoever should. */
export function examineIsolation({ config, report }: Examination): void {
  switch (roleOf(config)) {
    case 'owner':
      if (config.gateway?.signingKey !== undefined || config.gateway?.signingKeyFile !== undefined) {
        report(
          fail(
            'isolation.key',
            'The gateway’s signing key is named here: whatever gets hold of it can answer in everybody’s name.',
            'Take HANDRAISE_SIGNING_KEY and gateway.signingKeyFile away from runs, and make a new pair if an agent could read it.',
          ),
        );
      }
      report(ok('isolation.user', 'No chat token is here: agents of this user cannot read one from this environment.'));
      break;
    case 'gateway':
      report(
        ok('isolation.user', `The tokens are ${nameOfUser()}’s: run the gateway as another user than the agents.`),
      );
      break;
    case 'embedded':
      if (config.slack.botToken === undefined && config.discord?.botToken === undefined) break;
      report(
        warn(
          'isolation.user',
          `Agents run as the same user (${nameOfUser()}) as the process with the tokens, and could read its memory and files.`,
          'Where that matters, run `handraise gateway` as another user (docs/deploy.md).',
        ),
      );
  }
}

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have a number only.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
