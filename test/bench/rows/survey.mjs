import { execFileSync } from 'node:child_process'
import { bundle } from '../bundle.mjs'
import { compared, inTurn, inWords, timed } from '../measure.mjs'
import { newFolder, repository as own } from '../places.mjs'
import { changeOneFile, writeSourceRepository } from '../source-repository.mjs'

/**
 * A survey of a repository of which one file changed since the last one, against the first; and the survey with its
 * report of a real repository (`--set repository=<path>`, else this one), against what git needs for its log alone.
 */
export async function measure({ rounds = 5, files = 1000, repository = own }) {
  const program = await bundle('survey')
  return [await oneChanged(program, rounds, files), ...(await besideGitLog(program, rounds, repository))]
}

async function oneChanged(program, rounds, files) {
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
  return compared(
    {
      path: `survey of ${files} files, one changed`,
      rival: 'its first run',
      sense: 'at most',
      floor: 0.15,
      reach: 0.05,
    },
    pairs,
    { describe: inWords },
  )
}

async function besideGitLog(program, rounds, root) {
  const run = (cache) =>
    JSON.parse(execFileSync(process.execPath, [program, root, cache], { encoding: 'utf8' })).withReport
  // nothing is fetched while it is measured
  const env = { ...process.env, GIT_NO_LAZY_FETCH: '1' }
  const gitLog = () =>
    timed(() =>
      execFileSync('git', ['log', '-n', '2000', '-M', '--numstat'], {
        cwd: root,
        env,
        maxBuffer: 1e9,
        stdio: 'pipe',
      }),
    )
  try {
    await gitLog()
  } catch (error) {
    return [
      {
        path: 'survey and report beside `git log`',
        skipped: `git cannot count the lines of ${root}, as in a clone without old contents: ${String(error.stderr).split('\n')[0]}`,
      },
    ]
  }
  const kept = newFolder('cache')
  run(kept)
  const row = { rival: '`git log -n 2000 --numstat`', sense: 'at most' }
  const first = await inTurn(rounds, () => run(newFolder('cache')), gitLog)
  const again = await inTurn(rounds, () => run(kept), gitLog)
  return [
    compared({ ...row, path: 'survey and report, first run', floor: 5, reach: 2 }, first, {
      describe: inWords,
    }),
    compared({ ...row, path: 'survey and report, nothing new', floor: 1, reach: 0.3 }, again, {
      describe: inWords,
    }),
  ]
}
