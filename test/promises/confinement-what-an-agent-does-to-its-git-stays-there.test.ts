// Proves that nothing an agent does to its git within walls reaches the real repository: damaged and forged objects,
// odd refs, a configuration that runs programs, folders that are none. It fails when an object, a ref or a setting of
// the real repository changes, when a program runs, when something hangs, or when a commit is lost without a word.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { keepRest } from '../../src/platform/private-git/keep-rest.ts'
import { realRepository } from '../../src/platform/private-git/real-repository.ts'
import { takeOver } from '../../src/platform/private-git/commit-takeover.ts'
import { git } from '../../src/platform/git/git.ts'
import { newFolder } from '../support/fed.ts'
import { commit, holdings, privateTeam, team } from '../support/private-git.ts'
import { someOf } from '../support/thorough.ts'
import { hasWalls } from '../support/walls.ts'

const work = { team, bases: [] }
const blob = '"$(git rev-parse HEAD:one.txt)"'
const fileOf = (object: string) =>
  `o=${object}; f="$(git rev-parse --git-common-dir)/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-)"; chmod u+w $f`
const forgedTree = (entry: string) => String.raw`
  t=$(printf "100644 ${entry}\0$(git rev-parse HEAD:one.txt | sed 's/../\\x&/g')" | git hash-object -w -t tree --literally --stdin)
  git update-ref HEAD $(git commit-tree -p HEAD -m Forged $t)`

describe.runIf(hasWalls)('nothing comes out of', () => {
  test.each(
    someOf(
      [
        ['an object that is damaged', `${fileOf(blob)}; echo damaged > $f`],
        ['an object that is missing', `${fileOf(blob)}; rm $f`],
        [
          'an object that is another one',
          `${fileOf('"$(git rev-parse HEAD)"')}; c=$f; ${fileOf(blob)}; cat $c > $f`,
        ],
        ['a tree with a file of git’s own', forgedTree('.git')],
        ['a tree with a way upwards', forgedTree('..')],
      ],
      2,
    ),
  )('%s', async (_, attack) => {
    const { root, one, inside, outside, begin } = await privateTeam()
    inside(commit('one'))
    const before = holdings(root)
    inside(attack)
    expect(() => takeOver(one, work)).toThrow(/^the commits of fed\/api were not taken over: /)
    expect(holdings(root)).toBe(before)
    // the next mission begins, and it is told where the damaged repository lies
    const [told = ''] = begin('second')
    const [, aside = ''] = /its repository lies in (\S+)$/.exec(told) ?? []
    expect(existsSync(path.join(aside, 'git', 'objects'))).toBe(true)
    expect(outside('fsck')).not.toMatch(/error|missing|broken/)
    expect(inside('git status --porcelain --untracked-files=no; git log -1 --format=%s')).toBe('Second')
  })
})

describe.runIf(hasWalls)('within walls', () => {
  test('a configuration and hooks of the agent’s run nothing outside, and the next session has none of it', async () => {
    const { root, workTree, one, inside, outside, begin } = await privateTeam()
    const marker = path.join(workTree, 'ran')
    const script = `touch ${marker}`
    const settings = outside('config', '--list', '--local')
    const tip = inside(`
      d=$(git rev-parse --git-common-dir); mkdir -p $d/hooks
      for h in pre-commit post-checkout reference-transaction post-index-change upload-pack; do
        printf '#!/bin/sh\\n${script}\\n' > $d/hooks/$h; chmod +x $d/hooks/$h; done
      ${commit('one')} 2>/dev/null; rm -f ${marker}
      for key in core.fsmonitor core.pager core.sshCommand core.gitProxy core.alternateRefsCommand credential.helper \\
        diff.external uploadpack.packObjectsHook filter.x.clean filter.x.smudge filter.x.process diff.x.textconv \\
        merge.x.driver alias.status alias.rev-list; do git config $key '${script}' ; done
      git config extensions.worktreeConfig true; git config core.worktree /tmp; git config include.path /dev/null
      git config extensions.partialClone origin; git config remote.origin.url 'ext::${script}'
      echo '* filter=x diff=x merge=x' > $d/info/attributes
      echo /etc >> $d/objects/info/alternates`)
    takeOver(one, work)
    expect(keepRest(one, team)).toEqual([])
    expect(outside('rev-parse', 'fed/api')).toBe(tip.split('\n').at(-1))
    begin()
    git(workTree, 'status', '--porcelain')
    expect(existsSync(marker)).toBe(false)
    expect(inside('git config --list --local; ls -A $(git rev-parse --git-common-dir)')).not.toMatch(
      /ran|hooks|include|partial/,
    )
    expect(outside('config', '--list', '--local')).toBe(settings)
    expect(realRepository(root, workTree)).toEqual(one.real)
  })

  test.each(
    someOf(
      [
        ['a pipe in the place of its refs', 'rm -rf $d/refs/heads; mkfifo $d/refs/heads', /not taken over/],
        [
          'a pipe in the place of its packed refs',
          'rm -f $d/packed-refs; mkfifo $d/packed-refs',
          /not taken over/,
        ],
        ['no repository', 'rm -rf $d/* 2>/dev/null || true', /not taken over/],
        [
          'a link in the place of its objects',
          'mv $d/objects /tmp/o; ln -s /etc $d/objects',
          /not taken over/,
        ],
        [
          'its branch under another name',
          'git branch -m fed/api mine',
          /the worktree is on mine; 'git switch fed\/api'/,
        ],
        ['no branch', 'git switch -q --detach', /no branch is checked out/],
        [
          'no beginning',
          'git reset -q --hard HEAD~2',
          /it does not hold [0-9a-f]{40} any more, where its mission began/,
        ],
      ],
      3,
    ),
  )('an agent that leaves %s is told, and the next session works', async (_, attack, words) => {
    const { root, one, inside, begin } = await privateTeam()
    inside(commit('one'))
    const before = holdings(root)
    const bases = [git(root, 'rev-parse', 'main')]
    inside(`d=$(git rev-parse --git-common-dir); ${attack}`)
    expect(() => takeOver(one, { team, bases })).toThrow(words)
    expect(holdings(root)).toBe(before)
    begin()
    expect(inside('git switch -q fed/api 2>&1; git log -1 --format=%s')).toMatch(/one|Second|First files/)
  })

  test('odd names of refs do nothing, and what they name is kept', async () => {
    const { root, one, inside, outside, begin } = await privateTeam()
    const first = inside(`git switch -q -c side; ${commit('two')}; git switch -q fed/api`)
    inside(`d=$(git rev-parse --git-common-dir); cd $d/refs/heads
      for n in -x '--upload-pack=touch ran' $'\\e[31mred' 'a b' '$(touch ran)' 'x.lock' 'a:b' '@{-1}' ; do echo ${first} > "$n"; done
      ln -s /etc/passwd passwd; echo 'ref: refs/heads/../../../config' > up; mkdir -p fed; printf '%s' ${first} > fed/api.1
      mkdir -p main.d; echo ${first} > main.d/x; git symbolic-ref refs/heads/loop refs/heads/loop2; git symbolic-ref refs/heads/loop2 refs/heads/loop`)
    const own = inside(commit('one'))
    takeOver(one, work)
    expect(outside('for-each-ref', '--format=%(refname)').split('\n')).toEqual([
      ...['refs/fed/taken/api', 'refs/heads/fed/api', 'refs/heads/main', 'refs/heads/other', 'refs/tags/v1'],
    ])
    begin()
    expect(inside('git for-each-ref --format="%(refname)"')).not.toMatch(/lock|passwd| |red|up$/m)
    begin('second')
    expect(outside('rev-parse', 'fed/api')).toBe(own)
    expect(outside('rev-list', '--all')).toContain(first)
    expect(outside('fsck')).not.toMatch(/error|missing|broken/)
    expect(existsSync(path.join(root, '.git', 'refs', 'heads', 'ran'))).toBe(false)
  })

  test('somebody who moves the branch meanwhile is not overwritten, and nothing of either is lost', async () => {
    const { root, one, inside, outside, begin } = await privateTeam()
    const own = inside(commit('one'))
    const person = outside('commit-tree', '-p', 'fed/api', '-m', 'By a person', 'main^{tree}')
    // a git that moves the branch just before it is to be swapped
    const bin = newFolder('bin')
    const [file] = ['/usr/bin/git']
    writeFileSync(
      path.join(bin, 'git'),
      `#!/bin/sh\ncase " $* " in *" --stdin "*) ${file} -C ${root} update-ref refs/heads/fed/api ${person};; esac\nexec ${file} "$@"\n`,
      { mode: 0o755 },
    )
    const searched = process.env.PATH
    process.env.PATH = `${bin}${path.delimiter}${searched}`
    try {
      expect(() => takeOver(one, work)).toThrow(
        `somebody else moved it to ${person} meanwhile, which yours does not hold; 'git rebase ${person}' takes it in`,
      )
    } finally {
      process.env.PATH = searched
    }
    expect(outside('rev-parse', 'fed/api')).toBe(person)
    expect(inside('git rev-parse HEAD')).toBe(own)
    // the agent does as it is told: the commit lies in what its private repository borrows
    const rebased = inside(`git rebase -q ${person}; git rev-parse HEAD`)
    takeOver(one, work)
    expect(outside('rev-parse', 'fed/api')).toBe(rebased)
    begin('second')
    expect(outside('rev-list', '--all')).toContain(own)
  })

  test('the worktree’s .git leads where the repository noted it, whatever is written there', async () => {
    const { root, workTree, one, inside } = await privateTeam()
    for (const line of [
      'echo x > .git',
      'rm .git',
      'mv .git other',
      'chmod 600 .git; ln -sf /tmp .git',
      `mv ${workTree} ${workTree}2`,
    ])
      expect(() => inside(line)).toThrow(/Read-only|busy|not permitted|denied|cannot/i)
    const file = path.join(workTree, '.git')
    const before = readFileSync(file, 'utf8')
    writeFileSync(file, `gitdir: ${newFolder('elsewhere')}\n`)
    expect(realRepository(root, workTree)).toEqual(one.real)
    writeFileSync(file, before)
  })
})
