// Proves that imports lead to the right files in each language; fails when a resolver forgets a rule of its language.
import { describe, expect, test } from 'vitest'
import { dependencyRows } from '../../../src/surveyor/report/dependencies.ts'
import { survey } from '../../../src/surveyor/survey.ts'
import type { Survey } from '../../../src/surveyor/survey.ts'
import { repositoryOf } from '../../support/repository.ts'

async function links(files: Record<string, string>): Promise<Record<string, string[]>> {
  const { graph } = await survey(repositoryOf(files))
  return Object.fromEntries(
    [...graph.out].map(([path, out]) => [path, out.map(({ to, mode }) => `${mode} ${to ?? ''}`)]),
  )
}

async function externals(files: Record<string, string>): Promise<string[]> {
  return [...(await survey(repositoryOf(files))).graph.external.keys()]
}

const usersOf = (surveyed: Survey): Record<string, number> =>
  Object.fromEntries(dependencyRows(surveyed).map(({ name, usedBy }) => [name, usedBy.length]))

describe('TypeScript', () => {
  test('extensions, indexes, compiled names, tsconfig paths, workspaces', async () => {
    const found = await links({
      'package.json': '{"name":"root","workspaces":["packages/*"]}',
      'tsconfig.json':
        '{\n // aliases\n "compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["./src/*"]},}\n}',
      'packages/core/package.json': '{"name":"@shop/core","main":"dist/index.js"}',
      'packages/core/src/index.ts': 'export const core = 1\n',
      'src/a.ts':
        "import './b.js'\nimport { c } from './c'\nimport d from './d/index.ts'\nimport type { E } from '@/e'\nimport { core } from '@shop/core'\nimport 'src/f'\n",
      'src/b.ts': '',
      'src/c.tsx': 'export const c = 1\n',
      'src/d/index.ts': 'export default 1\n',
      'src/e.ts': 'export type E = 1\n',
      'src/f.ts': '',
    })
    expect(found['src/a.ts']).toEqual([
      'load src/b.ts',
      'load src/c.tsx',
      'load src/d/index.ts',
      'type src/e.ts',
      'load packages/core/src/index.ts',
      'load src/f.ts',
    ])
  })

  test('extended tsconfig paths and the `#` imports of a package', async () => {
    const found = await links({
      'package.json': '{"name":"root","private":true,"workspaces":["packages/*"]}',
      'packages/config/package.json': '{"name":"@shop/config"}',
      'packages/config/base.json': '{"compilerOptions":{"outDir":"${configDir}/out"}}',
      'aliases.json':
        '{"extends":"@shop/config/base.json","compilerOptions":{"paths":{"~/*":["./packages/web/app/*"],"exact":["./packages/web/exact.ts"]}}}',
      'packages/web/package.json': '{"name":"web","imports":{"#db":"./out/db.js","#ui/*":"./ui/*.ts"}}',
      'packages/web/tsconfig.json': '{"extends":["../../aliases"],"compilerOptions":{"rootDir":"app"}}',
      'packages/web/app/main.ts':
        "import '~/page'\nimport '#db'\nimport '#ui/button'\nimport 'exact'\nimport 'exact/sub'\n",
      'packages/web/app/page.ts': '',
      'packages/web/app/db.ts': '',
      'packages/web/ui/button.ts': '',
      'packages/web/exact.ts': '',
    })
    expect(found['packages/web/app/main.ts']).toEqual([
      'load packages/web/app/page.ts',
      'load packages/web/app/db.ts',
      'load packages/web/ui/button.ts',
      'load packages/web/exact.ts',
    ])
  })

  test('a sibling of the workspace by its name, its exports and its folder; a fixture is none', async () => {
    const files = {
      'pnpm-workspace.yaml': "packages:\n  # ours\n  - 'libs/**'\n  - '!libs/old'\n\ncatalog:\n  zod: 1\n",
      'package.json': '{"name":"root","dependencies":{"linked":"file:./elsewhere"}}',
      'libs/core/package.json':
        '{"name":"@shop/core","exports":{".":{"types":"./dist/index.d.ts","import":"./dist/index.js"},"./coin":"./dist/money/coin.js","./row/*":"./dist/row/*.js"}}',
      'libs/core/tsconfig.json': '{"compilerOptions":{"outDir":"dist","rootDir":"code"}}',
      'libs/core/code/index.ts': '',
      'libs/core/code/money/coin.ts': '',
      'libs/core/code/row/first.ts': '',
      'libs/old/package.json': '{"name":"old"}',
      'libs/old/index.js': '',
      'elsewhere/package.json': '{"name":"other-name"}',
      'elsewhere/index.js': '',
      'tests/fixtures/zod/package.json': '{"name":"zod"}',
      'tests/fixtures/zod/index.js': '',
      'src/a.ts':
        "import '@shop/core'\nimport '@shop/core/coin'\nimport '@shop/core/row/first'\nimport 'linked'\nimport 'old'\nimport 'zod'\n",
    }
    expect((await links(files))['src/a.ts']).toEqual([
      'load libs/core/code/index.ts',
      'load libs/core/code/money/coin.ts',
      'load libs/core/code/row/first.ts',
      'load elsewhere/index.js',
    ])
    expect(await externals(files)).toEqual(['old', 'zod'])
  })

  test('components of Vue, Svelte and Astro import and are imported', async () => {
    const found = await links({
      'src/main.ts': "import App from './App.vue'\nimport Old from './Old'\n",
      'src/App.vue':
        "<template>\n  <Row />\n</template>\n<!-- <script>import './not'</script> -->\n<script setup lang=\"ts\" generic=\"T extends A<B>\">\nimport Row from './Row.svelte'\nimport type { Coin } from './coin'\n</script>\n",
      'src/Old.vue': '<script>\nexport default {}\n</script>\n',
      'src/Row.svelte':
        '<script module>\n  import { coin } from \'./coin\'\n</script>\n<script type="application/json">{"a": 1}</script>\n<p>{coin}</p>\n',
      'src/Page.astro':
        "---\nimport App from './App.vue'\n---\n<App />\n<script>\n  import './coin'\n</script>\n",
      'src/coin.ts': 'export const coin = 1\nexport type Coin = number\n',
      'src/not.ts': '',
    })
    expect(found).toEqual({
      'src/main.ts': ['load src/App.vue', 'load src/Old.vue'],
      'src/App.vue': ['load src/Row.svelte', 'type src/coin.ts'],
      'src/Old.vue': [],
      'src/Row.svelte': ['load src/coin.ts'],
      'src/Page.astro': ['load src/App.vue', 'load src/coin.ts'],
      'src/coin.ts': [],
      'src/not.ts': [],
    })
  })

  test('packages from outside by name, built-in modules not at all', async () => {
    expect(
      await externals({
        'a.ts':
          "import 'node:fs'\nimport path from 'path'\nimport x from '@scope/pkg/sub'\nimport y from 'lodash/get'\n",
      }),
    ).toEqual(['@scope/pkg', 'lodash'])
  })
})

test('Python: relative, absolute, src layout, names that are modules', async () => {
  const files = {
    'src/shop/__init__.py': '',
    'src/shop/cart.py':
      'from . import money\nfrom .store.disk import Disk\nimport shop.money\nimport os, requests\n',
    'src/shop/money.py': '',
    'src/shop/store/__init__.py': '',
    'src/shop/store/disk.py': 'from ..cart import Cart\nclass Disk: pass\n',
    'tests/test_cart.py': 'from shop.cart import Cart\nfrom shop import money\n',
  }
  const found = await links(files)
  expect(found['src/shop/cart.py']).toEqual(['load src/shop/money.py', 'load src/shop/store/disk.py'])
  expect(found['src/shop/store/disk.py']).toEqual(['load src/shop/cart.py'])
  expect(found['tests/test_cart.py']).toEqual(['load src/shop/cart.py', 'load src/shop/money.py'])
  expect(await externals(files)).toEqual(['requests'])
})

test('Go: module path to the files that declare what is used, neighbours of the package', async () => {
  const found = await links({
    'go.mod': 'module example.org/shop\n\ngo 1.22\n',
    'main.go': 'package main\n\nimport "example.org/shop/store"\n\nfunc main() { store.Open(); helper() }\n',
    'helper.go': 'package main\n\nfunc helper() {}\n',
    'store/open.go': 'package store\n\nfunc Open() {}\n',
    'store/close.go': 'package store\n\nfunc Close() {}\n',
  })
  expect(found['main.go']).toEqual(['load store/open.go', 'reference helper.go'])
})

test('Rust: crate paths, child modules, super, other crates of the workspace', async () => {
  const found = await links({
    'Cargo.toml':
      '[workspace]\nmembers = ["core"]\n\n[package]\nname = "shop"\n\n[dependencies]\nshop-core = { path = "core" }\n',
    'src/main.rs': 'mod cart;\nuse crate::cart::row::Row;\nuse shop_core::money::Coin;\nfn main() {}\n',
    'src/cart.rs': 'pub mod row;\npub struct Cart;\n',
    'src/cart/row.rs': 'use super::Cart;\npub struct Row;\n',
    'core/Cargo.toml': '[package]\nname = "shop-core"\n',
    'core/src/lib.rs': 'pub mod money;\n',
    'core/src/money.rs': 'pub struct Coin;\n',
  })
  expect(found['src/main.rs']).toEqual([
    'reference src/cart.rs',
    'load src/cart/row.rs',
    'load core/src/money.rs',
  ])
  expect(found['src/cart/row.rs']).toEqual(['load src/cart.rs'])
})

test('C++, Ruby and PHP: includes, load paths and full class names', async () => {
  const cpp = await links({
    'include/shop/cart.h': '',
    'src/cart.cc': '#include "shop/cart.h"\n#include "row.h"\n#include <vector>\n',
    'src/row.h': '',
  })
  expect(cpp['src/cart.cc']).toEqual(['load include/shop/cart.h', 'load src/row.h'])
  const ruby = await links({
    'lib/shop.rb': "require 'shop/cart'\nrequire_relative 'shop/row'\n",
    'lib/shop/cart.rb': 'module Shop\n  class Cart\n    def row; Money.new; end\n  end\nend\n',
    'lib/shop/row.rb': '',
    'lib/shop/money.rb': 'module Shop\n  class Money\n  end\nend\n',
  })
  expect(ruby['lib/shop.rb']).toEqual(['load lib/shop/cart.rb', 'load lib/shop/row.rb'])
  expect(ruby['lib/shop/cart.rb']).toEqual(['reference lib/shop/money.rb'])
  const php = await links({
    'src/Client.php':
      "<?php\nnamespace Shop;\nuse Shop\\Model\\Order;\nrequire __DIR__ . '/functions.php';\nclass Client { function a(): Response { return new Order; } }\n",
    'src/Model/Order.php': '<?php\nnamespace Shop\\Model;\nclass Order {}\n',
    'src/Response.php': '<?php\nnamespace Shop;\nclass Response {}\n',
    'src/functions.php': '<?php\n',
  })
  expect(php['src/Client.php']).toEqual([
    'load src/Model/Order.php',
    'load src/functions.php',
    'reference src/Response.php',
  ])
})

test('JavaScript loads code and declarations see declarations; a package is required by its folder', async () => {
  const found = await links({
    'package.json': '{"name":"shop","main":"shop.js","types":"shop.d.ts"}',
    'shop.js': "require('./lib/a')\n",
    'shop.d.ts': "import { A } from './lib/a'\nexport type Shop = A\n",
    'lib/a.js': '',
    'lib/a.d.ts': "import { Shop } from '../shop'\nexport type A = Shop\n",
    'test/a.test.js': "require('..')\nrequire('../shop')\n",
    'test/deep/b.test.js': "require('../..')\n",
  })
  expect(found['shop.js']).toEqual(['load lib/a.js'])
  expect(found['test/a.test.js']).toEqual(['load shop.js'])
  expect(found['test/deep/b.test.js']).toEqual(['load shop.js'])
  expect(found['shop.d.ts']).toEqual(['type lib/a.d.ts'])
  expect(found['lib/a.d.ts']).toEqual(['type shop.d.ts'])
})

test('Go: packages from outside belong to the module that go.mod requires; a replaced module is a folder', async () => {
  const files = {
    'go.mod':
      'module example.org/shop\n\nrequire (\n\tgolang.org/x/sys v0.1.0\n\tgolang.org/x/text v0.1.0\n\texample.com/kit v1.0.0\n\texample.com/kit/modules/db v1.0.0\n\texample.net/coin v1.0.0\n)\n\nreplace example.net/coin => ./third/coin\n',
    'a.go': 'package shop\n\nimport "golang.org/x/sys/unix"\nimport "example.com/kit/modules/db/sql"\n',
    'b.go':
      'package shop\n\nimport "golang.org/x/text/language"\nimport "golang.org/x/time/rate"\nimport "example.com/kit/log"\nimport "example.net/coin"\nvar c = coin.Coin{}\n',
    'third/coin/go.mod': 'module example.net/original\n',
    'go.work': 'go 1.22\n\nuse (\n\t.\n\t./tools\n)\n\nreplace example.net/note v1.2.0 => ./third/note\n',
    'third/note/note.go': 'package note\n\ntype Note struct{}\n',
    'tools/go.mod': 'module example.org/tools\n',
    'tools/tool.go':
      'package tools\n\nimport "example.net/note"\nimport "example.org/shop/purse"\nvar n = note.Note{}\nvar p = purse.Open()\n',
    'purse/purse.go': 'package purse\n\nfunc Open() int { return 1 }\n',
    'third/coin/coin.go': 'package coin\n\ntype Coin struct{}\n',
  }
  const { graph, manifests } = await survey(repositoryOf(files))
  expect(Object.fromEntries(graph.external)).toEqual({
    'golang.org/x/sys': ['a.go'],
    'golang.org/x/text': ['b.go'],
    'golang.org/x/time': ['b.go'],
    'example.com/kit': ['b.go'],
    'example.com/kit/modules/db': ['a.go'],
  })
  expect(graph.out.get('b.go')?.map(({ to }) => to)).toEqual(['third/coin/coin.go'])
  expect(graph.out.get('tools/tool.go')?.map(({ to }) => to)).toEqual([
    'third/note/note.go',
    'purse/purse.go',
  ])
  expect(manifests[0]?.dependencies.map(({ name }) => name)).not.toContain('example.net/coin')
  expect(usersOf(await survey(repositoryOf(files)))).toEqual({
    'golang.org/x/sys': 1,
    'golang.org/x/text': 1,
    'example.com/kit': 1,
    'example.com/kit/modules/db': 1,
  })
})

test('Go: a method that another file of the package calls is a use', async () => {
  const found = await links({
    'go.mod': 'module example.org/shop\n',
    'command.go': 'package shop\n\ntype Command struct{}\n\nfunc (c *Command) Run() { c.ValidateGroups() }\n',
    'groups.go': 'package shop\n\nfunc (c *Command) ValidateGroups() {}\n',
  })
  expect(found['command.go']).toEqual(['reference groups.go'])
})

test('Rust: what a crate passes on leads to the file that declares it', async () => {
  const found = await links({
    'Cargo.toml':
      '[package]\nname = "shop"\n[[bin]]\nname = "shop"\npath = "crates/app/main.rs"\n[dependencies]\nfacade = { path = "crates/facade" }\n[workspace.dependencies]\npurse = { path = "crates/money", package = "shop-money" }\n',
    'crates/app/main.rs':
      'mod flags;\nuse facade::money::Coin;\nuse facade::Paper;\nfn main() { facade::money::count(); }\nfn late() { use crate::rare::Rare; }\n',
    'crates/app/rare.rs': 'pub struct Rare;\n',
    'crates/app/flags/mod.rs': 'pub mod parse;\n',
    'crates/app/flags/parse.rs': 'use crate::flags::Flag;\nuse crate::start;\n',
    'crates/facade/Cargo.toml': '[package]\nname = "facade"\n[dependencies]\npurse = { workspace = true }\n',
    'crates/facade/src/lib.rs': 'pub extern crate purse as money;\npub use purse::*;\n',
    'crates/money/Cargo.toml': '[package]\nname = "shop-money"\n',
    'crates/money/src/lib.rs':
      'mod coin;\nmod paper;\npub use crate::coin::{count, Coin};\npub use paper::Paper;\n',
    'crates/money/src/coin.rs': 'pub struct Coin;\npub fn count() {}\n',
    'crates/money/src/paper.rs': 'pub struct Paper;\n',
  })
  expect(found['crates/facade/src/lib.rs']).toEqual(['load crates/money/src/lib.rs'])
  expect(found['crates/app/main.rs']).toEqual([
    'reference crates/app/flags/mod.rs',
    'load crates/facade/src/lib.rs',
    'load crates/money/src/lib.rs',
    'load crates/money/src/coin.rs',
    'load crates/money/src/paper.rs',
    'load crates/app/rare.rs',
  ])
  expect(found['crates/app/flags/parse.rs']).toEqual([
    'load crates/app/flags/mod.rs',
    'load crates/app/main.rs',
  ])
})
