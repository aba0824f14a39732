// Loaded with `--require` into a command: its clock is FED_TEST_CLOCK milliseconds off, as after it was set anew.
const shift = Number(process.env.FED_TEST_CLOCK ?? 0)
const RealDate = Date

globalThis.Date = class Date extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + shift)
    else super(...args)
  }

  static now() {
    return RealDate.now() + shift
  }
}
