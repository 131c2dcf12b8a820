import { flagParser } from './flags.ts';
import type { Judgement } from './rule.ts';
import type { Argument } from './shell/argument.ts';

const ADDRESS = /[a-z][a-z0-9+.-]*:\/\/(?:[^\s/?#@'"]*@)?(\[[^\]\s]+\]|[^\s/:?#'"]+)/gi;
const COPY_PLACE = /^(?:[^\s/:@]+@)?([^\s/:@-][^\s/:@]*):(?!\/\/)/;
const LOOKS_LIKE_HOST = /^@?(localhost|[\w-]+(\.[\w-]+)+\.?|\[?[\da-f]*:[\da-f:]+\]?)$/i;

/** Programs that take the name of a machine, and how. */
const COPIERS = /^(scp|sftp|rsync|git|hg|tar|sshfs|rclone)$/;
const FIRST_WORD = /^(telnet|nc|ncat|netcat|ftp|tftp|rsh|rlogin|mosh|autossh)$/;
const ANY_WORD =
  /^(curl|wget|http|https|xh|httpie|dig|nslookup|host|drill|ping6?|traceroute|tracepath|mtr|fping|whois|nmap|openssl)$/;
const BY_OPTION =
  /^(psql|mysql|mariadb|pg_\w+|mongo\w*|redis-cli|valkey-cli|createdb|dropdb|clickhouse-client|mysqldump)$/;

const ssh = flagParser({
  read: '-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -B: -b: -c: -D: -E: -e: -F: -I: -i: -J: -L: -l: -m: -O: -o: -P: -p: -Q: -R: -S: -W: -w:',
  stopAtOperand: true,
});

/** The machines that a program reaches, as far as its words name them; what is not known is shown as it is written. */
export function hostsOf(name: string, args: readonly Argument[], { effect, tags = [] }: Judgement): readonly string[] {
  if (effect !== 'external' && effect !== 'unknown' && !tags.includes('network')) return [];
  const found = args.flatMap(({ text, literal, source }) =>
    [...(literal ? text : source).matchAll(ADDRESS)].map(([, host = '']) => host),
  );
  const words = args.filter(({ text }) => text !== '' && !text.startsWith('-'));
  if (name === 'ssh') found.push(...ssh(args).operands.slice(0, 1).map(hostPart));
  if (COPIERS.test(name)) found.push(...words.flatMap(({ text }) => COPY_PLACE.exec(text)?.[1] ?? []));
  if (FIRST_WORD.test(name)) found.push(...words.slice(0, 1).map(hostPart));
  if (ANY_WORD.test(name)) found.push(...words.flatMap(bareHost));
  if (BY_OPTION.test(name)) found.push(...optionValues(args));
  return found.filter((host) => host !== '');
}

/** `me@machine`, and `ssh://` addresses are found as such. */
function hostPart({ text, literal, source }: Argument): string {
  if (text.includes('://')) return '';
  return (literal ? text : source).replace(/^.*@/, '');
}

function bareHost({ text, literal, source }: Argument): string[] {
  if (!literal && !text.includes('://')) return text.includes('.') ? [source] : [];
  const [host = ''] = /^\[/.test(text) ? [text] : text.split(/[/:?#]/);
  return !text.includes('://') && LOOKS_LIKE_HOST.test(host) ? [host.replace(/^@/, '')] : [];
}

function optionValues(args: readonly Argument[]): string[] {
  return args.flatMap(({ text }, at) => {
    const glued = /^(?:--host=|-h(?=.))(.+)$/.exec(text)?.[1];
    if (glued !== undefined) return [glued];
    return text === '-h' || text === '--host' ? [args[at + 1]?.text ?? ''] : [];
  });
}
