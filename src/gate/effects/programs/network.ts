import { flagParser, flags } from '../flags.ts';
import { always, type Judgement, READ, type Rule, unknown, worst } from '../rule.ts';
import { type Argument, literalArgument } from '../shell/argument.ts';

const curlOptions = flagParser({
  read:
    '-0 -1 -2 -3 -4 -6 -a -A: -b: -B -e: -f -g -G -H: -i -I -j -k -l -L -m: -M -n -N -p -q -r: -R -s -S -u: -v -V -w: -X: -y: -Y: -z: -Z -# --anyauth --basic --digest --ntlm --negotiate --bearer --oauth2-bearer= --user-agent= --cookie= --compressed --connect-timeout= ' +
    '--connect-to= --resolve= --referer= --fail --fail-with-body --fail-early --globoff --get --header= --include --head --insecure --location --max-time= --max-redirs= --max-filesize= --netrc --no-buffer --no-progress-meter --parallel --progress-bar --proto= --proto-default= --proto-redir= --range= --raw ' +
    '--request= --retry= --retry-delay= --retry-max-time= --retry-all-errors --retry-connrefused --silent --show-error --show-headers --speed-limit= --speed-time= --ssl --ssl-reqd --tcp-nodelay --time-cond= --tlsv1 --tlsv1.2 --tlsv1.3 --tls-max= --http0.9 --http1.0 --http1.1 --http2 --http3 --ipv4 --ipv6 --url= --user= --verbose --version --write-out= --path-as-is --no-keepalive --keepalive-time= --location-trusted --cacert= --cert= --key= --noproxy= --max-redirs= --help',
  write:
    '-o: -O -J -c: -D: --output= --output-dir= --create-dirs --remote-name --remote-name-all --remote-header-name --cookie-jar= --dump-header= --trace= --trace-ascii= --stderr= --hsts= --alt-svc= --etag-save= --libcurl= --skip-existing',
  unknown:
    '-x: --proxy= --interface= --dns-servers= -K: -E: -h? --config= --unix-socket= --abstract-unix-socket= --engine= --netrc-file= --etag-compare= --egd-file= --random-file= --doh-url= --ipfs-gateway= --variable= --expand-url= --expand-data= --next -: --url-query=',
  external:
    '-d: -F: -T: -Q: -t: -C: -P: --data= --data-ascii= --data-binary= --data-raw= --data-urlencode= --json= --form= --form-string= --form-escape --upload-file= --append --quote= --mail-from= --mail-rcpt= --mail-auth= --telnet-option= --ftp-port= --post301 --post302 --post303',
});

const curl: Rule = (called) => {
  const args = withoutNullOutput(called);
  const { judgement, operands, values } = curlOptions(args);
  const given = values.get('-X')?.text ?? values.get('--request')?.text ?? lastMethod(args);
  const urls = [...operands, ...(values.has('--url') ? [values.get('--url') as Argument] : [])];
  const findings: Judgement[] = [];
  // -G puts data into the address and asks for it with GET.
  const onlyData =
    judgement.effect === 'external' &&
    (values.has('-G') || values.has('--get')) &&
    ![...values.keys()].some((name) => /^(-F|-T|-Q|--form|--upload|--json|--mail|--quote)/.test(name));
  const abbreviated = args.find(({ text }) => /^--req(u(e(s)?)?)?(=|$)/.test(text));
  if (abbreviated !== undefined)
    findings.push({ effect: 'external', reason: `${abbreviated.text} may name any method`, tags: ['network'] });
  if (given !== undefined && !/^(GET|HEAD|OPTIONS)$/i.test(given))
    findings.push({ effect: 'external', reason: `sends a ${given}`, tags: ['network'] });
  if (urls.some((url) => !url.literal && !/^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(url.prefix)))
    findings.push({
      effect: 'external',
      reason: 'an address that is not known may carry anything',
      tags: ['dynamic', 'network'],
    });
  if (urls.some(({ text }) => /^(?!https?:)[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^file:/i.test(text)))
    findings.push({ effect: 'external', reason: 'another protocol', tags: ['network'] });
  if (
    [...values].some(
      ([name, value]) =>
        /^(-H|-A|-b|-e|-u|--header|--cookie|--user-agent|--referer|--user)$/.test(name) && !value.literal,
    )
  )
    findings.push({
      effect: 'external',
      reason: 'a header that is not known may carry anything',
      tags: ['dynamic', 'network'],
    });
  if (
    [...values].some(
      ([name, value]) => /^(-b|--cookie|-H|--header|-w|--write-out)$/.test(name) && /^@/.test(value.text),
    )
  )
    findings.push(unknown('reads a file into the request'));
  const format = values.get('-w') ?? values.get('--write-out');
  // A format may name a file to write to, the last one given or any before it.
  if (args.some(({ text }) => text.includes('%output{')))
    findings.push({ effect: 'write', reason: 'its format writes to a file' });
  if (format !== undefined && !format.literal) findings.push(unknown('a format that is not known', 'dynamic'));
  const own: Judgement = onlyData
    ? unknown('sends data in the address', 'network')
    : { ...judgement, tags: [...(judgement.tags ?? []), 'network'] };
  return worst(own, ...findings);
};

/** `-o /dev/null` and `-o -` write nothing. */
function withoutNullOutput(args: readonly Argument[]): readonly Argument[] {
  return args.flatMap((argument, at) => {
    const before = args[at - 1]?.text ?? '';
    if (/^(-[fgiIkLnNsSv]*o|--output)$/.test(before) && isNowhere(argument)) return [];
    const next = args[at + 1];
    if (next === undefined || !isNowhere(next)) return [argument];
    if (argument.text === '--output' || argument.text === '-o') return [];
    return /^-[fgiIkLnNsSv]+o$/.test(argument.text) ? [literalArgument(argument.text.slice(0, -1))] : [argument];
  });
}

function isNowhere({ text, literal }: Argument): boolean {
  return literal && (text === '-' || text === '/dev/null');
}

/** A bundle such as -sXPUT hides the method from a table of last values only when it comes twice: every one counts. */
function lastMethod(args: readonly Argument[]): string | undefined {
  return args.map(({ text }) => /^-[a-zA-Z#]*X(.+)$/.exec(text)?.[1]).find((method) => method !== undefined);
}

const wget = flags(
  {
    read: '-q -v -nv -S -T: -t: -4 -6 -U: --quiet --no-verbose --server-response --timeout= --tries= --user-agent= --spider --no-check-certificate --max-redirect= --header= --no-cache --https-only --version --help --retry-connrefused --waitretry= -O-',
    write:
      '-O: -o: -P: -N -c -r -l: -k -p -m -nc -nd -nH -np -E -H -x -i: -a: -B: -A: -R: -D: -I: -b -w: --output-document= --output-file= --directory-prefix= --timestamping --continue --recursive --level= --mirror --page-requisites --convert-links --no-clobber --save-cookies= --content-disposition --no-parent --background --accept= --reject= --input-file=',
    unknown:
      '-e: --execute= --config= --use-askpass= --load-cookies= --ca-certificate= --certificate= --private-key= --warc-file=',
    external: '--post-data= --post-file= --method= --body-data= --body-file=',
  },
  ({ operands, values }) => {
    const toStdout =
      values.has('-O-') ||
      values.get('-O')?.text === '-' ||
      values.get('--output-document')?.text === '-' ||
      values.has('--spider');
    if (operands.some(({ literal }) => !literal))
      return {
        effect: 'external',
        reason: 'an address that is not known may carry anything',
        tags: ['dynamic', 'network'],
      };
    return toStdout || operands.length === 0 ? undefined : { effect: 'write', reason: 'writes a file' };
  },
  'network',
);

/** `wget -qO- url` prints: the option says where, and nothing is written. */
const wgetPrinting: Rule = (args, shell) => {
  const printing = args.some(
    ({ text }, at) => /^-[qvS]*O-$/.test(text) || (/^-[qvS]*O$/.test(text) && args[at + 1]?.text === '-'),
  );
  if (!printing) return wget(args, shell);
  const others = args.filter(
    ({ text }, at) => !/^-[qvS]*O-?$/.test(text) && !(text === '-' && /^-[qvS]*O$/.test(args[at - 1]?.text ?? '')),
  );
  return wget([...others, { text: '-O-', literal: true, prefix: '-O-', splits: false, source: '-O-' }], shell);
};

/** HTTPie: a method word or an item with `=` sends. */
const http: Rule = (args) => {
  const words = args.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
  // Letters alone before an address are a method, in any case; without one, what is piped in is sent.
  const [first = '', ...items] = words;
  const method = items.length > 0 && /^[A-Za-z]+$/.test(first) ? first : undefined;
  if (
    (method !== undefined && !/^(GET|HEAD|OPTIONS)$/i.test(method)) ||
    items.some((word) => /(?<!=)=(?!=)|:=|@/.test(word)) ||
    args.some(({ literal }) => !literal)
  ) {
    return { effect: 'external', reason: 'sends a request', tags: ['network'] };
  }
  if (method === undefined)
    return { effect: 'external', reason: 'sends what it is given, if anything', tags: ['network'] };
  return args.some(({ text }) => /^-/.test(text))
    ? unknown('an option that is not known', 'network')
    : { ...READ, tags: ['network'] };
};

/** Names and echo requests: what is in the name leaves the machine. */
const asksNames: Rule = (args) =>
  args.some(({ literal }) => !literal)
    ? { effect: 'external', reason: 'a name that is not known may carry anything', tags: ['dynamic', 'network'] }
    : args.some(({ text }) => /^@|^-(f|p|y|k|F|b)$/.test(text))
      ? { effect: 'external', reason: 'asks a server it names', tags: ['network'] }
      : { ...READ, reason: 'asks for a name', tags: ['network'] };

const openssl: Rule = (args) => {
  const [verb, ...rest] = args;
  const has = (pattern: RegExp) => rest.some(({ text }) => pattern.test(text));
  if (verb === undefined || !verb.literal) return unknown('is interactive');
  if (/^(version|list|ciphers|errstr|help|dgst|sha256|sha1|md5|asn1parse|x509|crl|verify|rand)$/.test(verb.text)) {
    if (
      has(/^-(out|keyout|writerand|signkey|req|CA|CAcreateserial|engine|provider|sign|passin|CAkey|force_pubkey|key)$/)
    )
      return { effect: 'write', reason: 'may write a file' };
    return rest.every(({ text, literal }) => literal || !text.startsWith('-'))
      ? { ...READ, reason: 'prints' }
      : unknown('an option that is not known');
  }
  if (verb.text === 's_client') return { effect: 'external', reason: 'opens a connection', tags: ['network'] };
  return { effect: 'write', reason: 'makes or changes keys and files' };
};

const remote = always('external', 'reaches another machine', 'network');

/** Programs that talk to other machines. */
export const NETWORK: Readonly<Record<string, Rule>> = {
  curl,
  wget: wgetPrinting,
  'http https xh httpie': http,
  ssh: (args) =>
    args.length === 1 && args[0]?.text === '-V'
      ? READ
      : { effect: 'external', reason: 'reaches another machine', tags: ['network'] },
  'scp sftp ftp lftp ncftp telnet nc ncat netcat socat rsh rlogin mosh autossh sshpass sshfs tftp aria2c croc magic-wormhole wormhole syncthing smbclient websocat wscat grpcurl mosquitto_pub':
    remote,
  rsync: (args) => {
    const places = args.filter(({ text }) => !text.startsWith('-'));
    if (places.some(({ text, literal }) => /:|^rsync:/.test(text) || !literal))
      return { effect: 'external', reason: 'copies to or from another machine', tags: ['network'] };
    return args.some(({ text }) => /^(-e|--rsh)/.test(text))
      ? unknown('an option runs a program')
      : { effect: 'write', reason: 'copies files' };
  },
  'dig nslookup host drill getent': asksNames,
  'ping ping6 traceroute tracepath mtr fping': asksNames,
  whois: asksNames,
  'nmap masscan tcpdump tshark': remote,
  'mail mailx sendmail mutt msmtp swaks ssmtp': always('external', 'sends mail', 'network'),
  openssl,
  'yt-dlp youtube-dl ffmpeg': always('write', 'writes files', 'network'),
  'ab wrk hey k6 locust siege vegeta': remote,
};
