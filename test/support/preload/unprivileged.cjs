// Loaded with `--require` into a command: permissions do not bind root, so it is given up.
if (process.getuid?.() === 0) {
  process.setgid(65_534)
  process.setuid(65_534)
}
