import { execFileSync } from 'node:child_process'
import { compared, inTurn, inWords } from '../measure.mjs'
import { bundle } from '../bundle.mjs'
import { newFolder } from '../places.mjs'
import { changeOneFile, writeSourceRepository } from '../source-repository.mjs'

/** A survey of a repository of which one file changed since the last one, against the first. */
export async function measure({ rounds = 5, files = 1000 }) {
  const program = await bundle('survey')
  const root = newFolder('sources')
  writeSourceRepository(root, files)
  const survey = (cache) => {
    const told = JSON.parse(execFileSync(process.execPath, [program, root, cache], { encoding: 'utf8' }))
    if (told.files < files) throw new Error(`${told.files} files instead of ${files}`)
    return told
  }
  const cache = newFolder('cache')
  survey(cache)
  const pairs = await inTurn(
    rounds,
    (round) => {
      changeOneFile(root, round)
      const { spent, parsed } = survey(cache)
      if (parsed > 1) throw new Error(`${parsed} files were parsed again`)
      return spent
    },
    () => survey(newFolder('cache')).spent,
  )
  return [
    compared(
      {
        path: `survey of ${files} files, one changed`,
        rival: 'its first run',
        sense: 'at most',
        floor: 0.15,
        reach: 0.05,
      },
      pairs,
      { describe: inWords },
    ),
  ]
}
