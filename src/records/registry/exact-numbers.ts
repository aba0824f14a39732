/**
 * Numbers that JavaScript cannot hold, such as the long ids of other programs, in fields that fed does not know. They
 * are read as texts behind this mark, and written again as the numbers that they were.
 */
const mark = '\u0000number '

const suspicious = /[:[,]\s*-?(?:\d[\d.]{15}|[\d.]+[eE])/
const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const written = /"\\u0000number (-?\d[\d.eE+-]*)"/g

/** JSON text with each number as a text that would not be written again as it is. */
export function withoutInexact(json: string): string {
  // most registries have none, and are not looked through
  if (!suspicious.test(json)) return json
  return json.replace(token, (found) =>
    found.startsWith('"') || isExact(found) ? found : JSON.stringify(mark + found),
  )
}

/** JSON text with those numbers as they were. */
export function withInexact(json: string): string {
  return json.includes('"\\u0000number ') ? json.replace(written, '$1') : json
}

function isExact(number: string): boolean {
  return decimalOf(number) === decimalOf(String(Number(number)))
}

/** The same for each way to write a number: its digits and the power of ten of the last one. */
function decimalOf(number: string): string {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = `${whole}${part}`.replace(/^0+/, '')
  const short = digits.replace(/0+$/, '')
  if (short === '') return whole === '' ? number : '0'
  return `${sign}${short}e${Number(power) - part.length + digits.length - short.length}`
}
