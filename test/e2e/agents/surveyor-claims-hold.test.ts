// Proves that claims which strangers' repositories once made wrong hold now, each on a few files; fails when a report calls a
// system header its own, a licence a description, a test's import a use, or a package unused that is imported.
import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { analyse } from '../../../src/surveyor/analysis.ts'
import { readMission } from '../../../src/surveyor/read-mission.ts'
import { renderReport } from '../../../src/surveyor/render-report.ts'
import { describeFile } from '../../../src/surveyor/report/describe.ts'
import { dependencyRows } from '../../../src/surveyor/report/dependencies.ts'
import { survey } from '../../../src/surveyor/survey.ts'
import { gitIn, repositoryOf } from '../../support/repository.ts'

const surveyOf = (files: Record<string, string>) => survey(repositoryOf(files))

async function linksOf(files: Record<string, string>): Promise<string[]> {
  const { graph } = await surveyOf(files)
  return [...graph.out].flatMap(([from, out]) => out.map(({ to }) => `${from} ${to ?? ''}`)).toSorted()
}

async function reportOn(files: Record<string, string>): Promise<string> {
  return renderReport(await surveyOf(files), readMission('', 'Document the architecture'))
}

const usersOf = async (files: Record<string, string>): Promise<Record<string, number>> =>
  Object.fromEntries(dependencyRows(await surveyOf(files)).map(({ name, usedBy }) => [name, usedBy.length]))

test('C: a header of the system is none of the repository, and a quoted one is no package', async () => {
  const files = {
    'deps/jam/include/jam/internal/assert.h': '#define ASSERT 1\n',
    'deps/jam/adapters/poll.h': '#include "../sock.h"\n',
    'deps/jam/sock.h': '#include <poll.h>\n#include <jam/internal/assert.h>\n#include "jam/gone.h"\n',
    'src/a.c': '#include <assert.h>\n#include <curl/curl.h>\nint a(void) { return 1; }\n',
  }
  expect(await linksOf(files)).toEqual([
    'deps/jam/adapters/poll.h deps/jam/sock.h',
    'deps/jam/sock.h deps/jam/include/jam/internal/assert.h',
  ])
  expect([...(await surveyOf(files)).graph.external.keys()]).toEqual(['curl'])
})

test('C: of several headers of one name the nearest is meant, and none where two are as near', async () => {
  const found = await linksOf({
    'one/include/shop/sds.h': '#define ONE 1\n',
    'two/include/shop/sds.h': '#define TWO 1\n',
    'two/src/a.c': '#include "shop/sds.h"\nint a(void) { return 1; }\n',
    'three/b.c': '#include "shop/sds.h"\nint b(void) { return 1; }\n',
  })
  expect(found).toEqual(['two/src/a.c two/include/shop/sds.h'])
})

test('C: a main that is compiled for a test alone starts nothing; no C file is said to be untested', async () => {
  const { files, ...found } = await surveyOf({
    'src/crc.c': 'int crc(void) { return 1; }\n#ifdef CRC_TEST\nint main(void) { return crc(); }\n#endif\n',
    'src/cli.c': '#ifdef _WIN32\nint main(void) { return 1; }\n#else\nint main(void) { return 0; }\n#endif\n',
    'tests/run.c': 'int check(void) { return 1; }\n',
  })
  expect(files.filter(({ facts }) => facts.code?.entry !== undefined).map((file) => file.path)).toEqual([
    'src/cli.c',
  ])
  expect(analyse({ files, ...found }).untested).toEqual([])
})

test('C#: a package is used where its own namespace is imported, also one of System; not where a sibling is', async () => {
  const project = (inside: string): string =>
    `<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>${inside}</ItemGroup></Project>`
  const packages = [
    'Microsoft.Extensions.Options',
    'Microsoft.Extensions.Logging',
    'System.Threading.RateLimiting',
  ]
  expect(
    await usersOf({
      'src/Shop/Shop.csproj': project(
        packages.map((name) => `<PackageReference Include="${name}" Version="1.0.0" />`).join(''),
      ),
      'src/Shop/A.cs': 'using Microsoft.Extensions.Caching.Memory;\nnamespace Shop;\npublic class A { }\n',
      'src/Shop/B.cs':
        'using System.Text;\nusing Microsoft.Extensions.Options;\nnamespace Shop;\npublic class B { }\n',
      'src/Shop/C.cs': 'using System.Threading.RateLimiting;\nnamespace Shop;\npublic class C { }\n',
    }),
  ).toEqual({
    'Microsoft.Extensions.Options': 1,
    'Microsoft.Extensions.Logging': 0,
    'System.Threading.RateLimiting': 1,
  })
})

test('C#: what .NET has itself is a package only for the project that asks for it', async () => {
  expect(
    await usersOf({
      'src/Shop/Shop.csproj': '<Project Sdk="Microsoft.NET.Sdk" />',
      'src/Shop/A.cs': 'using System.Text.RegularExpressions;\nnamespace Shop;\npublic class A { }\n',
      'src/Tools/Tools.csproj':
        '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="System.Text.RegularExpressions" /></ItemGroup></Project>',
      'src/Tools/B.cs': 'using System.Text.RegularExpressions;\nnamespace Tools;\npublic class B { }\n',
    }),
  ).toEqual({ 'System.Text.RegularExpressions': 1 })
})

test('C#: a project that only builds others is not what the repository is', async () => {
  const found = await surveyOf({
    'Build.csproj':
      '<Project Sdk="Microsoft.Build.Traversal/2.0.24"><ItemGroup><ProjectReference Include="src/*.csproj" /></ItemGroup></Project>',
    'src/Shop.csproj': '<Project Sdk="Microsoft.NET.Sdk" />',
    'src/A.cs': 'namespace Shop;\npublic class A { }\n',
  })
  expect(found.manifests.map((one) => one.path)).toEqual(['src/Shop.csproj'])
})

test('an example is none of the project, whatever stands before its name', async () => {
  const found = await surveyOf({
    'go.mod': 'module example.org/shop\n',
    'shop.go': 'package shop\n\nfunc Open() int { return 1 }\n',
    '_examples/hello/main.go': 'package main\n\nfunc main() {}\n',
    '_demo/main.go': 'package main\n\nfunc main() {}\n',
  })
  expect(found.files.filter(({ role }) => role === 'source').map((one) => one.path)).toEqual(['shop.go'])
})

test('C#: a namespace that the project file imports is imported in each of its files', async () => {
  const found = await linksOf({
    'src/Shop/Shop.csproj': '<Project Sdk="Microsoft.NET.Sdk" />',
    'src/Shop/Registry/Shelf.cs': 'namespace Shop.Registry;\npublic class Shelf { }\n',
    'test/Checks/Checks.csproj':
      '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><Using Include="Shop.Registry" /><ProjectReference Include="../../src/Shop/Shop.csproj" /></ItemGroup></Project>',
    'test/Checks/ShelfTests.cs':
      'namespace Checks;\npublic class ShelfTests { Shelf shelf = new Shelf(); }\n',
  })
  expect(found).toEqual(['test/Checks/ShelfTests.cs src/Shop/Registry/Shelf.cs'])
})

test('C#: a type with type parameters is another than the one of its name without', async () => {
  const found = await linksOf({
    'src/Shop.csproj': '<Project Sdk="Microsoft.NET.Sdk" />',
    'src/Outcome.cs': 'namespace Shop;\npublic class Outcome { }\n',
    'src/Outcome.TResult.cs': 'namespace Shop;\npublic class Outcome<TResult> { }\n',
    'src/Plain.cs': 'namespace Shop;\npublic class Plain { Outcome one; }\n',
    'src/Typed.cs':
      'namespace Shop;\npublic class Typed { Outcome<int> Outcome { get; } void A() { B(Outcome: 1); new C { Outcome = 1 }; } }\n',
  })
  expect(found).toEqual(['src/Plain.cs src/Outcome.cs', 'src/Typed.cs src/Outcome.TResult.cs'])
})

test('C#: an extension method that several files have is called by a test, whichever it is', async () => {
  const retry = (type: string): string =>
    `namespace Shop;\npublic static class ${type} { public static int Retry(this ${type}Kind kind) => 1; }\n`
  const found = await surveyOf({
    'src/Shop.csproj': '<Project Sdk="Microsoft.NET.Sdk" />',
    'src/One.cs': retry('One'),
    'src/Two.cs': retry('Two'),
    'test/Tests.csproj':
      '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><ProjectReference Include="../src/Shop.csproj" /></ItemGroup></Project>',
    'test/RetryTests.cs':
      'using Shop;\nnamespace Checks;\npublic class RetryTests { void A(object kind) { kind.Retry(); } }\n',
  })
  expect(analyse(found).untested).toEqual([])
})

test('Ruby: a bare name in a file of two roots is taken for neither', async () => {
  const found = await linksOf({
    'lib/shop/document.rb': 'module Shop\n  class Document\n    def a; end\n  end\nend\n',
    'lib/shop/parser.rb':
      'module Marks\n  class Page < Document\n    def b; end\n  end\nend\nmodule Shop\n  class Parser\n    def c; end\n  end\nend\n',
    'lib/shop/reader.rb': 'module Shop\n  class Reader\n    def d; Document.new; end\n  end\nend\n',
  })
  expect(found).toEqual(['lib/shop/reader.rb lib/shop/document.rb'])
})

test('C#: an attribute is used without the end of its name', async () => {
  const found = await linksOf({
    'src/Shop.csproj': '<Project Sdk="Microsoft.NET.Sdk" />',
    'src/PricedAttribute.cs': 'namespace Shop;\npublic class PricedAttribute : System.Attribute { }\n',
    'src/Cart.cs': 'namespace Shop;\n[Priced(1)]\npublic class Cart { }\n',
    'src/Till.cs': 'namespace Shop;\npublic class Till { int Priced; }\n',
  })
  expect(found).toEqual(['src/Cart.cs src/PricedAttribute.cs'])
})

test('Ruby: a gem of the standard library that is declared is used where it is required; bundler is none', async () => {
  const files = {
    'shop.gemspec':
      'Gem::Specification.new do |s|\n  s.name = "shop"\n  s.add_runtime_dependency("csv", "~> 3.0")\nend\n',
    'lib/shop.rb':
      'require "rubygems"\nrequire "bundler"\nrequire "json"\nrequire "csv"\n\n# Loads a folder of files.\ndef load_all(path)\n  path\nend\n\nmodule Shop\n  VERSION = 1\nend\n',
  }
  expect(await usersOf(files)).toEqual({ csv: 1 })
  expect([...(await surveyOf(files)).graph.external.keys()]).toEqual(['csv'])
  // what stands above a helper is said of the helper alone
  expect(await reportOn(files)).not.toContain('| `lib/` | Loads a folder')
})

test('PHP: a namespace that no package is named for is not said to be undeclared, nor its package unused', async () => {
  const report = await reportOn({
    'composer.json':
      '{"name":"shop/shop","require":{"nikic/fast-route":"^1","psr/http-factory":"^1","psr/log":"^3"}}',
    'src/A.php':
      '<?php\nnamespace Shop;\nuse FastRoute\\RouteParser;\nuse Psr\\Http\\Message\\ResponseFactoryInterface;\nuse Psr\\Log\\LoggerInterface;\nclass A { }\n',
  })
  expect(report).toContain('| `nikic/fast-route` | 1 |')
  expect(report).toContain('| `psr/log` | 1 |')
  expect(report).not.toMatch(/declared nowhere|no import was found/)
  expect(report).toContain('that its name does not tell: `psr/http-factory`')
})

test('PHP: a name that begins with a folder of the namespace leads there', async () => {
  const found = await linksOf({
    'src/Handler/Hook.php':
      '<?php\nnamespace Shop\\Handler;\nclass Hook { function a() { Curl\\Util::run(); } }\n',
    'src/Handler/Curl/Util.php': '<?php\nnamespace Shop\\Handler\\Curl;\nclass Util { }\n',
    'src/Page.php':
      '<?php\nnamespace Shop;\nuse Shop\\Handler\\Curl;\nclass Page { function a() { Curl\\Util::run(); } }\n',
  })
  expect(found).toEqual([
    'src/Handler/Hook.php src/Handler/Curl/Util.php',
    'src/Page.php src/Handler/Curl/Util.php',
  ])
})

test('a test that declares a name of its own does not call another of that name', async () => {
  const found = await surveyOf({
    'src/json.ts': 'export const begin = () => 1\n',
    'test/json.test.ts': 'const begin = () => 2\nbegin()\n',
  })
  expect(analyse(found).testsOf.size).toBe(0)
})

test('Rust: what the tests within a file use is no use of the file, but it is reached by tests', async () => {
  const found = await surveyOf({
    'Cargo.toml': '[package]\nname = "shop"\n',
    'src/lib.rs': 'pub mod cart;\npub mod route;\n#[cfg(test)]\nmod helpers;\n',
    'src/cart.rs':
      'pub struct Cart;\n#[cfg(test)]\nuse crate::route::Route;\n#[cfg(test)]\nmod tests {\n    use crate::helpers::*;\n    #[test]\n    fn one() { crate::route::open(); }\n}\n',
    'src/route.rs': 'pub struct Route;\npub fn open() {}\n',
    'src/helpers.rs': 'pub fn help() {}\n',
  })
  expect(found.graph.out.get('src/cart.rs')).toEqual([])
  expect(found.graph.dependents.get('src/route.rs')).toEqual(['src/lib.rs'])
  expect(analyse(found).untested.map((file) => file.path)).toEqual([])
})

test('Rust: another crate means what a library passes out, not a module of that name within', async () => {
  const found = await linksOf({
    'Cargo.toml': '[workspace]\nmembers = ["macros", "shop"]\n',
    'macros/Cargo.toml': '[package]\nname = "macros"\n',
    'macros/src/lib.rs': 'mod handler;\n#[proc_macro_attribute]\npub fn handler() {}\n',
    'macros/src/handler.rs': 'pub fn expand() {}\n',
    'shop/Cargo.toml': '[package]\nname = "shop"\n[dependencies]\nmacros = { path = "../macros" }\n',
    'shop/src/lib.rs': 'pub use macros::handler;\n',
  })
  expect(found).toContain('shop/src/lib.rs macros/src/lib.rs')
  expect(found).not.toContain('shop/src/lib.rs macros/src/handler.rs')
})

test('Go: a method that is called on what a call gives is a use', async () => {
  const found = await linksOf({
    'go.mod': 'module shop\n',
    'cart.go': 'package shop\n\ntype Cart struct{}\n\nfunc (c *Cart) Root() *Cart { return c }\n',
    'bill.go': 'package shop\n\nfunc (c *Cart) PrintBill() {}\n',
    'run.go': 'package shop\n\nfunc run(c *Cart) {\n\tc.Root().PrintBill()\n}\n',
  })
  expect(found).toContain('run.go bill.go')
})

test('a README that is a link is a README; a question is no name, and what points elsewhere no description', async () => {
  const root = repositoryOf({ 'docs/about.md': '# Shop\n', 'src/a.ts': 'export const a = 1\n' })
  symlinkSync('docs/about.md', path.join(root, 'README.md'))
  gitIn(root, ['add', '-A'])
  gitIn(root, ['commit', '-qm', 'link'])
  const mission = readMission('', 'Document the architecture')
  expect(renderReport(await survey(root), mission)).not.toContain('Write a README')
  const report = await reportOn({
    'README.md':
      'This README is just a quick start. Please follow the documentation elsewhere.\n\nWhat is a Shop?\n---\n\nShop keeps orders and carts for small sellers.\n',
    'src/a.ts': 'export const a = 1\n',
  })
  expect(report).toMatch(/^# Architecture of shop\n/)
  expect(report).toContain('From `README.md`: Shop keeps orders')
})

test('a comment that opens many files describes none of them', async () => {
  const files = Object.fromEntries(
    ['Cart', 'Order', 'Bill'].map((name) => [
      `src/${name}.php`,
      `<?php\n\n/**\n * Shop Framework of us\n */\n\nnamespace Shop;\n\nclass ${name} { }\n`,
    ]),
  )
  expect(describeFile(await surveyOf(files), 'src/Cart.php')).toBe('Holds class `Cart`')
})

test('a text that is a build file is no document', async () => {
  expect(
    await reportOn({
      'deps/CMakeLists.txt': '# Needs a compiler\ncmake_minimum_required(VERSION 3.0)\nproject(deps)\n',
      'src/a.ts': 'export const a = 1\n',
    }),
  ).not.toContain('Needs a compiler')
})

test('a broken link says where it leads when a file of its words is elsewhere', async () => {
  const report = await reportOn({
    '.github/SECURITY.md': '# Security\n\nAsk [the team](docs/team.md).\n',
    'docs/team.md': '# Team\n',
    'src/a.ts': 'export const a = 1\n',
  })
  expect(report).toContain('links to `docs/team.md`, which leads to `.github/docs/team.md`, where nothing is')
})

test('types of a package stand for it', async () => {
  expect(
    await reportOn({
      'package.json': '{"name":"shop","devDependencies":{"@types/trusted":"^1"}}',
      'src/a.ts': "import type { T } from 'trusted/lib'\nexport type A = T\n",
    }),
  ).not.toContain('declared nowhere')
})
