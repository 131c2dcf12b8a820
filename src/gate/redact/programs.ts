/** Where a program takes secrets on its command line. Options with a telling long name need no entry. */
export interface SecretUse {
  /** Words that must follow the program, in this order, for the rest to hold. */
  readonly after?: readonly string[];
  /** Options whose value is a secret: `-p x`, `-p=x`. */
  readonly options?: readonly string[];
  /** The same written in one word: `-px`. */
  readonly glued?: readonly string[];
  /** Options with `user:secret`. */
  readonly pairs?: readonly string[];
  /** What separates the two; default a colon. */
  readonly separator?: string;
  /** Options with a cookie. */
  readonly cookies?: readonly string[];
  /** The operands (from 1, after the words of `after`) that are secrets. */
  readonly operands?: readonly number[];
  /** Operands `name value`: the second is a secret where the first names one. */
  readonly named?: boolean;
  /** Every `name=value` among its operands, or in these options, has a secret as its value. */
  readonly settings?: true | readonly string[];
  /** Its options that ask for a secret and take none, such as `psql --password`. */
  readonly asks?: true;
}

const byName = new Map<string, SecretUse[]>();

function uses(names: string, ...rules: SecretUse[]): void {
  for (const name of names.split(' ')) byName.set(name, [...(byName.get(name) ?? []), ...rules]);
}

/** What is known of a program; undefined for those that take no secrets, or only by telling names. */
export function secretUses(program: string): readonly SecretUse[] | undefined {
  return byName.get(program);
}

uses('mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlsh mysqlpump mycli', {
  glued: ['-p'],
  asks: true,
});
uses('mariadb mariadb-dump mariadb-admin mariadb-import mariadb-check xtrabackup mariabackup', {
  glued: ['-p'],
  asks: true,
});
uses('psql pg_dump pg_dumpall pg_restore pg_basebackup createdb dropdb createuser dropuser vacuumdb pgbench', {
  asks: true,
});
uses('ansible ansible-playbook', { asks: true });
uses('mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles', { options: ['-p'] });
uses('redis-cli valkey-cli keydb-cli redis-benchmark', { options: ['-a', '--pass'] });
uses('sshpass', { options: ['-p'], glued: ['-p'] });
uses('zip unzip zipcloak', { options: ['-P'], glued: ['-P'] });
uses('7z 7za 7zr 7zz rar unrar', { glued: ['-p', '-hp'] });
uses('docker podman nerdctl buildah crane oras cosign helm', { after: ['login'], options: ['-p'], glued: ['-p'] });
uses(
  'skopeo buildah podman',
  { pairs: ['--creds', '--src-creds', '--dest-creds'] },
  { after: ['login'], options: ['-p'] },
);
uses('az', { after: ['login'], options: ['-p'] }, { after: ['keyvault', 'secret', 'set'], options: ['--value'] });
uses('oc', { after: ['login'], options: ['-p'] });
uses('kubectl oc k', { after: ['create', 'secret'], settings: ['--from-literal'] });
uses('curl', {
  pairs: ['-u', '--user', '-U', '--proxy-user', '-E', '--cert', '--proxy-cert'],
  cookies: ['-b', '--cookie'],
  options: ['--oauth2-bearer', '--pass', '--proxy-pass', '--tlspassword'],
});
uses('http https xh xhs', { pairs: ['-a', '--auth'] });
uses('ab', { pairs: ['-A', '-P'] });
uses('etcdctl', { pairs: ['--user'] });
uses('lftp', { pairs: ['-u'], separator: ',' });
uses('smbclient rpcclient smbget smbmap net', { pairs: ['-U', '--user'], separator: '%' });
uses('ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare', { options: ['-w'], glued: ['-w'] });
uses('ldappasswd', { options: ['-w', '-s', '-a'] });
uses('ipmitool sqlcmd bcp osql isql tsql mosquitto_pub mosquitto_sub', { options: ['-P', '--pw'], glued: ['-P'] });
uses('snmpwalk snmpget snmpset snmpbulkwalk', { options: ['-A', '-X'] });
uses('sqlplus sqlldr expdp impdp exp imp', { operands: [1], separator: '/' });
uses('beeline cqlsh cypher-shell couchbase-cli cbq rabbitmqadmin rdesktop evil-winrm crackmapexec netexec nxc ncftp', {
  options: ['-p'],
});
uses('influx', { options: ['-t', '-p'] });
uses('rabbitmqctl', { after: ['add_user'], operands: [2] }, { after: ['change_password'], operands: [2] });
uses('vault bao', { after: ['login'], operands: [1] }, { after: ['kv', 'put'], settings: true });
uses('vault bao', { after: ['kv', 'patch'], settings: true }, { after: ['write'], settings: true });
uses('gh', { after: ['secret', 'set'], options: ['-b', '--body'], glued: ['-b'] });
uses('glab', { after: ['variable', 'set'], options: ['-v', '--value'], operands: [2] });
uses('fly flyctl', { after: ['secrets', 'set'], settings: true }, { options: ['-t'] });
uses('supabase', { after: ['secrets', 'set'], settings: true });
uses('aws', { after: ['configure', 'set'], named: true }, { after: ['ssm', 'put-parameter'], options: ['--value'] });
uses(
  'npm pnpm yarn git poetry pip pip3 gcloud snow',
  { after: ['config', 'set'], named: true },
  { after: ['config'], named: true },
);
uses('npm pnpm', { after: ['set'], named: true });
uses('pulumi', { after: ['config', 'set'], named: true }, { after: ['config', 'set', '--secret'], operands: [2] });
uses('twine', { options: ['-p'] });
uses('cargo', { after: ['login'], operands: [1] });
uses(
  'nuget',
  { options: ['-k', '-ApiKey'] },
  { after: ['setapikey'], operands: [1] },
  { after: ['push'], operands: [] },
);
uses('dotnet', { after: ['nuget', 'push'], options: ['-k'] }, { after: ['user-secrets', 'set'], operands: [2] });
uses('openssl', { options: ['-k', '-K'] }, { after: ['passwd'], operands: [1] });
uses('ssh-keygen', { options: ['-N', '-P'] });
uses('ngrok', { after: ['authtoken'], operands: [1] }, { after: ['config', 'add-authtoken'], operands: [1] });
uses('doctl vercel now codecov', { options: ['-t'] });
uses('snyk', { after: ['auth'], operands: [1] });
uses('mc', { after: ['alias', 'set'], operands: [3, 4] }, { after: ['config', 'host', 'add'], operands: [3, 4] });
uses('wpa_passphrase', { operands: [2] });
uses('useradd usermod', { options: ['-p'] });
uses('swaks', { options: ['-ap'] });
uses('sendemail', { options: ['-xp'] });
uses('ansible-vault', { after: ['encrypt_string'], operands: [1] });
uses('bw', { after: ['unlock'], operands: [1] }, { after: ['login'], operands: [2] });
uses(
  'security',
  { after: ['add-generic-password'], options: ['-w'] },
  { after: ['add-internet-password'], options: ['-w'] },
);
uses('security', { after: ['unlock-keychain'], options: ['-p'] }, { after: ['import'], options: ['-P'] });
uses(
  'htpasswd',
  { after: ['-b'], operands: [3] },
  { after: ['-bc'], operands: [3] },
  { after: ['-cb'], operands: [3] },
);
uses(
  'htpasswd',
  { after: ['-nb'], operands: [2] },
  { after: ['-bn'], operands: [2] },
  { after: ['-nbB'], operands: [2] },
);
uses('heroku', { after: ['config:set'], settings: true });
