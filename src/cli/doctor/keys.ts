import { signingKeyOf } from '../../gateway/signing-key.ts';
import { readVerdictKey } from '../../trust/keys.ts';
import { type Examination, roleOf } from './examination.ts';
import { fail, failed, ok } from './finding.ts';

/** The public keys that count here: those that runs are given and, where the gateway runs, its own. */
export async function examineKeys({ config, log, report }: Examination): Promise<readonly string[]> {
  const role = roleOf(config);
  const pinned = config.trust?.verdictKeys ?? [];
  if (role === 'embedded') return pinned;
  try {
    const keyIds = pinned.map((key) => readVerdictKey(key).keyId);
    if (role === 'gateway') {
      const { keyId, verdictKey } = await signingKeyOf(config, log);
      report(
        ok('gateways.keys', `A gateway here signs with the key ${keyId}; runs need its public key ${verdictKey}.`),
      );
      return pinned.length > 0 ? pinned : [verdictKey];
    }
    if (pinned.length > 0) {
      report(ok('gateways.keys', `Runs here believe gateways that sign with ${keyIds.join(' or ')}.`));
      return pinned;
    }
    report(
      fail(
        'gateways.keys',
        'No key of a gateway is pinned, so that a run over Redis ends with 78.',
        'Set HANDRAISE_VERDICT_KEYS or trust.verdictKeys to what `handraise gateway keys show` prints at the gateway.',
      ),
    );
  } catch (thrown) {
    report(failed('gateways.keys', thrown, 'Make a pair with `handraise gateway keys new` (docs/deploy.md).'));
  }
  return [];
}
