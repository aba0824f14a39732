import { readFileSync } from 'node:fs'
import { unless } from '../../errors/unless.ts'
import { isSystemError } from '../storage/system-error.ts'

/** How each family of distributions installs bubblewrap, by the words of `ID` and `ID_LIKE` in os-release. */
const installs: readonly (readonly [RegExp, string])[] = [
  [/\b(?:debian|ubuntu)\b/, 'apt-get install bubblewrap'],
  [/\b(?:fedora|rhel|centos)\b/, 'dnf install bubblewrap'],
  [/\b(?:suse|opensuse)\b/, 'zypper install bubblewrap'],
  [/\barch\b/, 'pacman -S bubblewrap'],
  [/\balpine\b/, 'apk add bubblewrap'],
]

/** Switches of the kernel that forbid namespaces to ordinary users: file, the value that does, what allows them. */
const switches: readonly (readonly [file: string, forbids: string, remedy: string])[] = [
  ['/proc/sys/user/max_user_namespaces', '0', 'sysctl user.max_user_namespaces=15000'],
  ['/proc/sys/kernel/unprivileged_userns_clone', '0', 'sysctl kernel.unprivileged_userns_clone=1'],
  [
    '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    '1',
    'an AppArmor profile that lets /usr/bin/bwrap use userns, or sysctl kernel.apparmor_restrict_unprivileged_userns=0',
  ],
]

/** What helps where walls cannot be raised, as far as the machine tells. */
export function remedyFor(
  fault: 'missing' | 'refused',
  read: (file: string) => string | undefined = textOf,
): string {
  if (fault === 'missing') {
    const known = (read('/etc/os-release') ?? '')
      .split('\n')
      .filter((line) => /^ID(?:_LIKE)?=/.test(line))
      .join(' ')
    return installs.find(([family]) => family.test(known))?.[1] ?? 'install bubblewrap'
  }
  const forbidden = switches.find(([file, forbids]) => read(file)?.trim() === forbids)
  if (forbidden !== undefined) return forbidden[2]
  return 'in a container, allow it user namespaces and an unmasked /proc (docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined)'
}

function textOf(file: string): string | undefined {
  return unless(isSystemError, () => readFileSync(file, 'utf8'))
}
