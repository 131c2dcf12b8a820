import { flags } from '../flags.ts';
import { reaching } from '../reaching.ts';
import { always, READ, type Rule, unknown, worst } from '../rule.ts';
import { verbs } from '../verbs.ts';

const prints = (read: string): Rule => flags({ read: `${read} --help --version`, harmless: true });

/** The machine: processes, services, packages of the system. */
export const SYSTEM: Readonly<Record<string, Rule>> = {
  // No option of ps writes; the old style `e` prints environments.
  ps: (args) => ({
    ...READ,
    reason: 'lists processes',
    tags: args.some(({ text }) => /^[a-z]*e[a-z]*$/.test(text)) ? ['secret-read'] : [],
  }),
  'top htop': flags({ read: '-b -n: -d: -p: -o: -u: -l: -c' }),
  uname: prints(
    '-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release --machine --operating-system',
  ),
  date: flags(
    {
      read: '-u -R -I? -d: -r: -f: -j -v: --utc --universal --date= --iso-8601[=] --rfc-3339= --rfc-email --reference= --debug --help --version',
      write: '-s: --set=',
    },
    ({ operands, values }) =>
      operands.every(({ text }) => text.startsWith('+')) || values.has('-j')
        ? undefined
        : { effect: 'write', reason: 'sets the clock' },
  ),
  cal: prints('-1 -3 -y -m -j -n: -NUM'),
  arch: (args) => (args.length === 0 ? READ : unknown('may start a program')),
  'whoami id groups users who w last logname tty nproc uptime hostid getconf locale': prints(
    '-a -g -G -n -r -u -z -Z -s -h -p -b -d -i -q -H --all --ignore= --pretty --since -m -l -NUM --group --groups --name --real --user',
  ),
  hostname: flags({ read: '-a -A -d -f -i -I -s -y --fqdn --short --ip-address' }, ({ operands }) =>
    operands.length > 0 ? { effect: 'write', reason: 'sets the name of the machine' } : undefined,
  ),
  'free vmstat iostat mpstat lscpu lsmem lspci lsusb lsmod lsblk findmnt numastat': prints(
    '-a -b -k -m -g -h -w -t -s: -c: -l -p -J -o: -n -f -S -d -v -x -i -e -r -T -NUM --json --output= --bytes --human --wide --total --si --list --all --fs --noheadings',
  ),
  lsof: prints('-a -i? -n -P -p: -u: -c: -t -l -d: -F? -s? -r? -w -U -V -h +D: -b -K'),
  ss: flags({
    read: '-a -l -n -t -u -x -w -p -e -m -i -o -s -r -4 -6 -h -H -O -0 -Z -E -f: --all --listening --numeric --tcp --udp --unix --processes --summary --extended --no-header',
    unknown: '-K -F: -D: --kill --filter= --diag=',
  }),
  netstat: prints(
    '-a -n -t -u -l -p -r -i -s -e -c -W -w -x -v -4 -6 -f: --tcp --udp --listening --numeric --programs',
  ),
  'ifconfig ip route': (args, shell) =>
    args.every(({ text }) =>
      /^(-[a-zA-Z0-9]+|a|addr|address|r|route|l|link|n|neigh|show|list|dev|[a-z]+\d+|lo)$/.test(text),
    ) &&
    args.length < 5 &&
    !args.some(({ text }) => /^(add|del|set|flush|change|replace|-b|-batch|up|down)$/.test(text))
      ? READ
      : worst({ effect: 'write', reason: 'changes the network' }, ...reaching(args, shell)),
  'pgrep pidof': prints(
    '-a -f -l -n -o -u: -U: -x -c -d: -g: -P: -s: -t: -i -w -v --full --list-name --list-full --newest --oldest --exact --count',
  ),
  'pkill killall renice': always('write', 'ends or changes processes'),
  systemctl: verbs({
    globals: {
      read: '--no-pager --user --system -q --quiet -l --full -a --all --no-legend -t: --type= --state= -n: -o: --plain --failed --version --help',
      unknown: '-H: -M: --host= --machine= --root=',
    },
    verbs: {
      'status show cat list-units list-unit-files list-timers list-sockets list-dependencies is-active is-enabled is-failed is-system-running get-default help':
        flags({
          read: '--no-pager -l -a -p: -t: -n: -o: --full --all --property= --type= --state= --lines= --output= --value --no-legend --failed --plain --reverse --quiet -q --user',
          unknown: '-H: -M:',
        }),
    },
    bare: () => READ,
    otherwise: always('write', 'changes services'),
  }),
  service: (args) =>
    args.at(-1)?.text === 'status' || args[0]?.text === '--status-all'
      ? READ
      : { effect: 'write', reason: 'changes services' },
  journalctl: flags({
    read: '-a -b? -e -f -g: -k -l -m -n: -o: -p: -q -r -t: -u: -x -S: -U: -NUM --all --boot[=] --catalog --dmesg --follow --full --grep= --identifier= --lines= --list-boots --merge --no-hostname --no-pager --no-tail --output= --pager-end --priority= --quiet --reverse --since= --system --unit= --until= --user --user-unit= --utc --output-fields= --disk-usage --field= --header -F: --case-sensitive[=] --help --version',
    write:
      '--rotate --vacuum-size= --vacuum-time= --vacuum-files= --flush --sync --relinquish-var --update-catalog --setup-keys',
    unknown: '--file= --directory= -D: --root= --image= --cursor-file= -M: --machine=',
  }),
  dmesg: flags({
    read: '-H -T -k -l: -f: -L -P -t -u -w -x --human --ctime --level= --facility= --color[=] --nopager --follow',
    write: '-c -C -D -E -n: --clear --read-clear --console-off --console-on',
  }),
  crontab: (args) =>
    args.length === 1 && args[0]?.text === '-l'
      ? READ
      : { effect: 'write', reason: 'changes what runs later', tags: ['persistence'] },
  'apt apt-get apt-cache aptitude': verbs({
    globals: { read: '-q -y --yes --quiet --no-install-recommends', unknown: '-o: -c: --option= --config-file= -t:' },
    verbs: {
      'list show search policy depends rdepends showpkg madison pkgnames': flags({
        read: '-a -i -u -q -n --installed --upgradable --all-versions --names-only --full',
        unknown: '-o: -c:',
      }),
    },
    otherwise: always('write', 'changes the system', 'network'),
  }),
  'dpkg dpkg-query rpm': flags(
    {
      read: '-l -L -s -S -p -W -q -a -i -f: -V --list --listfiles --status --search --print-architecture --get-selections --show --showformat= --version --all --info --queryformat= --whatprovides',
      write: '-r -P -e -U -F --install --remove --purge --configure --unpack --import',
      unknown: '--pre-invoke= --post-invoke= --admindir= --root= --instdir= --eval= -E:',
    },
    ({ values }) =>
      values.has('-i') && !values.has('-q') ? { effect: 'write', reason: 'installs a package' } : undefined,
  ),
  'yum dnf zypper pacman apk port snap flatpak winget choco scoop': verbs({
    verbs: {
      'list search info show repolist check-update': flags({
        read: '-a -q -v -i -u --installed --available --all --quiet',
      }),
    },
    otherwise: always('write', 'changes the system', 'network'),
  }),
  brew: verbs({
    verbs: {
      'list ls search info deps uses leaves config --version --prefix --cellar': flags({
        read: '-1 -v -l --versions --cask --formula --json[=] --tree --installed --full-name --quiet',
        unknown: '--eval-all',
      }),
    },
    otherwise: always('write', 'changes the system', 'network'),
  }),
  'useradd userdel usermod groupadd passwd chpasswd visudo mount umount mkfs fdisk parted swapon sysctl modprobe insmod rmmod iptables nft ufw shutdown reboot halt poweroff init telinit ldconfig update-alternatives hwclock timedatectl hostnamectl localectl loginctl launchctl defaults diskutil networksetup pmset scutil spctl csrutil dscl security':
    always('unknown', 'changes the system, or may'),
  'clear reset tput': always('read', 'changes how the terminal looks'),
  'code cursor subl idea': flags(
    { read: '--version --help --list-extensions --status', write: '--install-extension= --uninstall-extension=' },
    ({ operands }) => (operands.length > 0 ? { effect: 'unknown', reason: 'opens an editor' } : undefined),
  ),
  'vim vi nvim view nano emacs ed ex pico joe micro hx': always('unknown', 'edits, and can run commands'),
  'open xdg-open start wslview sensible-browser firefox chromium google-chrome safari': always(
    'external',
    'opens something outside the agent’s control',
  ),
  'osascript say pbpaste pbcopy xclip xsel wl-copy wl-paste notify-send': always('unknown', 'uses the desktop'),
  'ssh-keygen': flags(
    { read: '-l -E: -f: -v -F: -H', write: '-t: -b: -N: -C: -q -p -P: -y -e -i -R: -A -Y:', unknown: '-D: -s: -U' },
    ({ values }) =>
      values.has('-l') || (values.has('-F') && !values.has('-H'))
        ? undefined
        : { effect: 'write', reason: 'makes or changes keys' },
  ),
  'ssh-add ssh-agent gpg gpg2 pass age sops keyring': always('unknown', 'handles keys'),
};
