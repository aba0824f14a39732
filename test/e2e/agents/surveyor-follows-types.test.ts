// Proves that Java and C# lead to the files that declare what is used, where no import names a file; fails when a comment makes
// a dependency, or when a call of an extension or of a part of a class leads nowhere.
import { expect, test } from 'vitest'
import { dependenciesSection, dependencyRows } from '../../../src/surveyor/report/dependencies.ts'
import { survey } from '../../../src/surveyor/survey.ts'
import type { Survey } from '../../../src/surveyor/survey.ts'
import { repositoryOf } from '../../support/repository.ts'

async function links(files: Record<string, string>): Promise<Record<string, string[]>> {
  const { graph } = await survey(repositoryOf(files))
  return Object.fromEntries(
    [...graph.out].map(([path, out]) => [path, out.map(({ to, mode }) => `${mode} ${to ?? ''}`)]),
  )
}

const usersOf = (surveyed: Survey): Record<string, number> =>
  Object.fromEntries(dependencyRows(surveyed).map(({ name, usedBy }) => [name, usedBy.length]))

test('Java and C#: by declared type, with neighbours of the package and namespace', async () => {
  const java = await links({
    'src/main/java/org/shop/App.java':
      'package org.shop;\nimport org.shop.model.Order;\nimport static org.shop.text.Names.join;\nclass App { Helper h; }\n',
    'src/main/java/org/shop/Helper.java': 'package org.shop;\nclass Helper {}\n',
    'src/main/java/org/shop/model/Order.java': 'package org.shop.model;\npublic class Order {}\n',
    'src/main/java/org/shop/text/Names.java': 'package org.shop.text;\npublic class Names {}\n',
  })
  expect(java['src/main/java/org/shop/App.java']).toEqual([
    'load src/main/java/org/shop/model/Order.java',
    'load src/main/java/org/shop/text/Names.java',
    'reference src/main/java/org/shop/Helper.java',
  ])
  const csharp = await links({
    'src/App.cs': 'using Shop.Model;\nnamespace Shop.Web;\nclass App { Order o; Base b; }\n',
    'src/Order.cs': 'namespace Shop.Model;\npublic class Order {}\n',
    'src/Unused.cs': 'namespace Shop.Model;\npublic class Unused {}\n',
    'src/Base.cs': 'namespace Shop;\npublic class Base {}\n',
  })
  expect(csharp['src/App.cs']?.toSorted()).toEqual(['reference src/Base.cs', 'reference src/Order.cs'])
})

test('Java: what only Javadoc names is no dependency; artifacts are matched by name or not judged', async () => {
  const pom = (...coordinates: string[]): string =>
    `<project><artifactId>shop</artifactId><dependencyManagement><dependencies><dependency><groupId>org.junit</groupId><artifactId>junit-bom</artifactId></dependency></dependencies></dependencyManagement><dependencies>${coordinates
      .map((coordinate) => coordinate.split(':'))
      .map(
        ([group, artifact]) =>
          `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId></dependency>`,
      )
      .join('')}</dependencies></project>`
  const surveyed = await survey(
    repositoryOf({
      'pom.xml': pom(
        'com.google.guava:guava',
        'commons-io:commons-io',
        'com.fasterxml.jackson.core:jackson-core',
        'com.fasterxml.jackson.core:jackson-databind',
      ),
      'src/main/java/org/shop/App.java':
        'package org.shop;\nimport com.google.common.collect.Lists;\nimport org.apache.commons.io.FileUtils;\nimport com.fasterxml.jackson.databind.ObjectMapper;\nimport org.shop.model.Order;\nimport org.other.Only;\nimport org.shop.model.made.Form;\n/** Takes an {@link Order} or {@link Only}. */\nclass App { Lists a; FileUtils b; ObjectMapper c; Form d; }\n',
      'src/main/java/org/shop/model/Order.java': 'package org.shop.model;\npublic class Order {}\n',
    }),
  )
  expect(surveyed.graph.out.get('src/main/java/org/shop/App.java')).toEqual([])
  expect([...surveyed.graph.external.keys()]).toEqual([
    'com.fasterxml.jackson.databind',
    'com.google.common.collect',
    'org.apache.commons.io',
  ])
  expect(usersOf(surveyed)).toEqual({
    'com.google.guava:guava': 0,
    'commons-io:commons-io': 1,
    'com.fasterxml.jackson.core:jackson-core': 0,
    'com.fasterxml.jackson.core:jackson-databind': 1,
  })
  const { body } = dependenciesSection(surveyed)
  expect(body).not.toMatch(/declared nowhere|no import was found/)
  expect(body).toContain(
    'Declared, with contents that its name does not tell: `com.fasterxml.jackson.core:jackson-core` and `com.google.guava:guava`. Imported, from packages that these names do not tell: `com.google.common` (1 file).',
  )
})

test('C#: a call of an extension method leads to the class that declares it, where its namespace is seen', async () => {
  const found = await links({
    'src/App.cs':
      'using Shop.Text;\nnamespace Shop;\nclass App { string A(string s) => s?.Shorten(3).Trim(); int B(List<int> l) => l.Total<int>(); }\n',
    'src/Shop.csproj': '<Project/>',
    'web/Web.csproj': '<Project/>',
    'web/Page.cs': 'namespace Shop;\nclass Page { int B(List<int> l) => l.Total(); }\n',
    'src/Other.cs': 'namespace Other;\nclass App { string A(string s) => s.Shorten(3); }\n',
    'src/Text/Words.cs':
      'namespace Shop.Text;\npublic static class Words { public static string Shorten(this string s, int n) => s; public static string Trim(string s) => s; }\n',
    'src/Sums.cs':
      'namespace Shop;\nstatic class Sums { internal static T Total<T>(this List<T> all) => default; }\n',
  })
  expect(found['src/App.cs']).toEqual(['reference src/Text/Words.cs', 'reference src/Sums.cs'])
  expect(found['src/Other.cs']).toEqual([])
  expect(found['web/Page.cs']).toEqual([])
})

test('C#: a partial class is the file of its name and those whose methods are called; projects see what they refer to', async () => {
  const found = await links({
    'core/Core.csproj': '<Project/>',
    'core/Policy.cs': 'namespace Shop;\npublic partial class Policy {}\n',
    'core/Retry.cs': 'namespace Shop;\npublic partial class Policy { public static void Retry() {} }\n',
    'core/Wait.cs': 'namespace Shop;\npublic partial class Policy { public static void Wait() {} }\n',
    'core/Outcome.cs': 'namespace Shop;\npublic class Outcome {}\n',
    'core/Outcome.TResult.cs': 'namespace Shop;\npublic class Outcome<TResult> {}\n',
    'core/Use.cs': 'namespace Shop;\nclass Use { Page page; Outcome<int> o; void A() { Policy.Retry(); } }\n',
    'web/Web.csproj':
      '<Project><ItemGroup><ProjectReference Include="..\\core\\Core.csproj" /></ItemGroup></Project>',
    'web/Page.cs': 'namespace Shop;\npublic class Page { Policy policy; }\n',
  })
  expect(found['core/Use.cs']?.toSorted()).toEqual([
    'reference core/Outcome.TResult.cs',
    'reference core/Policy.cs',
    'reference core/Retry.cs',
  ])
  expect(found['web/Page.cs']).toEqual(['reference core/Policy.cs'])
})
