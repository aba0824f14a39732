/** Variables that tell a program where it is and how it shows itself, and hold no secret. */
const harmless = [
  ...['HOME', 'USER', 'LOGNAME', 'SHELL', 'PATH', 'PWD', 'TZ', 'LANG', 'LANGUAGE', 'LC_*'],
  ...['TERM', 'COLORTERM', 'COLUMNS', 'LINES', 'NO_COLOR', 'FORCE_COLOR', 'CI', 'DO_NOT_TRACK'],
  ...['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL'],
  // who is trusted on the network, and by which way it is reached
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ...['GIT_SSL_CAINFO', 'AWS_CA_BUNDLE', 'CARGO_HTTP_CAINFO', 'PIP_CERT', 'NODE_USE_SYSTEM_CA'],
  ...[
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'all_proxy',
    'no_proxy',
  ],
  // where toolchains lie
  ...['NVM_DIR', 'NVM_BIN', 'FNM_DIR', 'FNM_MULTISHELL_PATH', 'VOLTA_HOME', 'PNPM_HOME', 'COREPACK_*'],
  ...['ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'PYENV_ROOT', 'RBENV_ROOT', 'NODENV_ROOT', 'RUSTUP_HOME'],
  ...['RUSTUP_TOOLCHAIN', 'SDKMAN_DIR', 'JAVA_HOME', 'GOROOT', 'GOTOOLCHAIN', 'DOTNET_ROOT', 'VIRTUAL_ENV'],
  ...['FED_DEBUG', 'FED_DURABILITY', 'FED_TELEMETRY_ENABLED', 'FED_INSPECT', 'FED_MODEL'],
]

/** The environment of a process within walls, and the names of what it does not get. */
export interface EnvironmentInside {
  readonly env: Readonly<Record<string, string>>
  readonly withheld: readonly string[]
}

/**
 * What of this process's environment one within walls gets: what is harmless, and what is named.
 * @param named variables, or with a * at the end all that begin so.
 */
export function environmentInside(
  named: readonly string[],
  outside: NodeJS.ProcessEnv = process.env,
): EnvironmentInside {
  const given = [...harmless, ...named]
  const exact = new Set(given.filter((name) => !name.endsWith('*')))
  const beginnings = given.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1))
  const isGiven = (name: string) =>
    exact.has(name) || beginnings.some((beginning) => name.startsWith(beginning))
  const all = Object.entries(outside).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return {
    // the system's own folder for temporary files is the process's own inside, wherever it lies outside
    env: { ...Object.fromEntries(all.filter(([name]) => isGiven(name))), TMPDIR: '/tmp' },
    withheld: all
      .map(([name]) => name)
      .filter((name) => !isGiven(name) && name !== 'TMPDIR')
      .toSorted(),
  }
}
