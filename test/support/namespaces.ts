import { execFileSync, spawnSync } from 'node:child_process'

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Tests in network namespaces are skipped, and counted so, where none can be made. */
export const hasNamespaces =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('ip', ['netns', 'add', `fed-probe-${process.pid}`]).status === 0 &&
  spawnSync('ip', ['netns', 'del', `fed-probe-${process.pid}`]).status === 0

/** Machines on one network: each a namespace with an address of its own. This process is on it, too. */
export class Network {
  readonly #name: string
  readonly #net: string
  readonly #hosts: string[] = []

  constructor() {
    this.#name = `f${process.pid % 100_000}`
    this.#net = `10.${100 + (process.pid % 100)}.${process.pid % 250}`
    ip('link', 'add', this.#name, 'type', 'bridge')
    ip('addr', 'add', `${this.#net}.254/24`, 'dev', this.#name)
    ip('link', 'set', this.#name, 'up')
  }

  add(host: string): void {
    this.#hosts.push(host)
    const namespace = this.#in(host)
    const wire = `${this.#name}w${this.#hosts.length}`
    ip('netns', 'add', namespace)
    ip('link', 'add', wire, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    ip('link', 'set', wire, 'master', this.#name, 'up')
    ip('-n', namespace, 'addr', 'add', `${this.address(host)}/24`, 'dev', 'eth0')
    ip('-n', namespace, 'link', 'set', 'eth0', 'up')
    ip('-n', namespace, 'link', 'set', 'lo', 'up')
  }

  #in(host: string): string {
    return `${this.#name}-${host}`
  }

  address(host: string): string {
    return `${this.#net}.${this.#hosts.indexOf(host) + 1}`
  }

  /** The words by which a program starts at a machine. */
  at(host: string): string[] {
    return ['ip', 'netns', 'exec', this.#in(host)]
  }

  /** What one machine sends to another is lost from now on; not what comes back. */
  cut(from: string, to: string): void {
    ip('-n', this.#in(from), 'route', 'replace', 'blackhole', `${this.address(to)}/32`)
  }

  heal(from: string, to: string): void {
    spawnSync('ip', ['-n', this.#in(from), 'route', 'del', 'blackhole', `${this.address(to)}/32`])
  }

  remove(): void {
    for (const host of this.#hosts) spawnSync('ip', ['netns', 'del', this.#in(host)])
    spawnSync('ip', ['link', 'del', this.#name])
  }
}
