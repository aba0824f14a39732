// How many questions about one repository are answered by the right symbol and the right file among the first three, and
// how many about what is absent are refused: `answers.mjs <root> <cache folder> <file of questions>`.
import { readFileSync } from 'node:fs'
import { focusOn } from '../../../src/surveyor/focus.ts'
import { readMission } from '../../../src/surveyor/read-mission.ts'
import { chooseSymbols } from '../../../src/surveyor/report/choose-symbols.ts'
import { absentFrom } from '../../../src/surveyor/search/absent.ts'
import { survey } from '../../../src/surveyor/survey.ts'

interface Question {
  readonly question: string
  readonly kind: 'present' | 'rare' | 'absent'
  readonly files: readonly string[]
  readonly symbols: readonly string[]
}

const [root = '', cacheFolder, file = ''] = process.argv.slice(2)
const found = await survey(root, { cacheFolder })
const told = (JSON.parse(readFileSync(file, 'utf8')) as Question[]).map(
  ({ question, kind, files, symbols }) => {
    const mission = readMission('', question)
    const focus = focusOn(found, mission)
    const best = focus?.files.slice(0, 3).map(({ file: { path } }) => path) ?? []
    const named = focus === undefined ? [] : chooseSymbols(focus).slice(0, 3)
    return {
      kind,
      question,
      isRefused: absentFrom(found, mission.subject, mission.topics).length > 0,
      hasFile: files.some((one) => best.includes(one)),
      hasSymbol: named.some(({ symbol }) => symbols.includes(symbol.name)),
    }
  },
)
process.stdout.write(JSON.stringify(told))
