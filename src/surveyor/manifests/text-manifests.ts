import { dependencies, manifest } from './manifest.ts'
import type { Manifest } from './manifest.ts'

const all = (source: string, pattern: RegExp): string[] =>
  Array.from(source.matchAll(pattern), (match) => match[1] ?? '')
const one = (source: string, pattern: RegExp): string | undefined => pattern.exec(source)?.[1]?.trim()

/** `setup.py` and `setup.cfg`, as far as they are written out plainly. */
export function readSetup(path: string, source: string): Manifest {
  const isPython = path.endsWith('.py')
  const block = isPython
    ? one(source, /install_requires\s*=\s*\[([\s\S]*?)\]/)
    : one(source, /^install_requires\s*=((?:\n[ \t]+\S.*)*)/m)
  const names = (block ?? '')
    .split(/[\n,]/)
    .map((line) => /[A-Za-z][\w.-]*/.exec(line.replace(/#.*/, ''))?.[0] ?? '')
  const scripts = (one(source, /console_scripts['"]?\s*[:=]\s*\[?([\s\S]*?)(?:\]|\n\n|$)/) ?? '').matchAll(
    /([\w.-]+)\s*=\s*([\w.]+:[\w.]+)/g,
  )
  return manifest(path, 'Python project', {
    name: one(source, isPython ? /\bname\s*=\s*['"]([^'"]+)/ : /^name\s*=\s*(.+)$/m),
    description: one(source, isPython ? /\bdescription\s*=\s*['"]([^'"]+)/ : /^description\s*=\s*(.+)$/m),
    dependencies: dependencies(names, false),
    entries: Array.from(scripts, ([, name = '', target = '']) => ({ what: `command \`${name}\``, target })),
  })
}

/** `requirements*.txt`. */
export function readRequirements(path: string, source: string): Manifest {
  const names = source.split('\n').map((line) => /^[A-Za-z][\w.-]*/.exec(line)?.[0] ?? '')
  return manifest(path, 'Python requirements', {
    dependencies: dependencies(names, /dev|test|doc|lint/.test(path)),
  })
}

/** `pom.xml`; a name that is a property is not resolved, and what only manages versions is no dependency. */
export function readPom(path: string, source: string): Manifest {
  const own = source.replace(
    /<(parent|dependencies|dependencyManagement|build|profiles|reporting)>[\s\S]*?<\/\1>/g,
    '',
  )
  const found = all(
    source.replace(/<(plugin|dependencyManagement)>[\s\S]*?<\/\1>/g, ''),
    /<dependency>([\s\S]*?)<\/dependency>/g,
  ).map((block) => ({
    name: `${one(block, /<groupId>([^<]+)/) ?? ''}:${one(block, /<artifactId>([^<]+)/) ?? ''}`,
    development: /<scope>(test|provided)<\/scope>/.test(block),
  }))
  const names = (development: boolean): string[] =>
    found.filter((item) => item.development === development).map(({ name }) => name)
  return manifest(path, 'Maven project', {
    name: one(own, /<artifactId>([^<]+)/),
    description: one(own, /<description>([^<]+)/)?.replace(/\s+/g, ' '),
    dependencies: [...dependencies(names(false), false), ...dependencies(names(true), true)],
  })
}

/** `build.gradle` and `build.gradle.kts`. */
export function readGradle(path: string, source: string): Manifest {
  const names = (configuration: string): string[] =>
    all(source, new RegExp(`\\b(?:${configuration})\\s*\\(?\\s*['"]([\\w.-]+:[\\w.-]+)`, 'g'))
  const main = one(source, /mainClass(?:Name)?\s*(?:=|\.set\()\s*['"]([^'"]+)/)
  return manifest(path, 'Gradle project', {
    description: one(source, /^\s*description\s*=?\s*['"]([^'"]+)/m),
    dependencies: [
      ...dependencies(names('implementation|api|compileOnly|runtimeOnly|compile'), false),
      ...dependencies(names('test\\w*|annotationProcessor|kapt'), true),
    ],
    entries: main === undefined ? [] : [{ what: 'main class', target: main }],
  })
}

/** `*.csproj`, `*.fsproj`, `*.vbproj`; undefined for one that compiles nothing, but builds others. */
export function readCsproj(path: string, source: string): Manifest | undefined {
  if (/<(?:Project|Sdk)\s[^>]*"Microsoft\.Build\.(?:Traversal|NoTargets)\b/.test(source)) return undefined
  const base =
    path
      .split('/')
      .at(-1)
      ?.replace(/\.\w+$/, '') ?? path
  const executable = /<OutputType>\s*(Exe|WinExe)/i.test(source)
  return manifest(path, executable ? '.NET program' : '.NET library', {
    name: one(source, /<(?:PackageId|AssemblyName)>([^<$]+)</) ?? base,
    description: one(source, /<Description>([^<]+)/),
    dependencies: dependencies(
      all(source, /<PackageReference\s+[^>]*?Include="([^"]+)"/g),
      /test/i.test(base),
    ),
  })
}

/** `Gemfile` and `*.gemspec`. */
export function readGems(path: string, source: string): Manifest {
  const isSpec = path.endsWith('.gemspec')
  const normal = isSpec ? all(source, /add(?:_runtime)?_dependency\s*\(?\s*['"]([^'"]+)/g) : []
  const development = isSpec ? all(source, /add_development_dependency\s*\(?\s*['"]([^'"]+)/g) : []
  const listed = isSpec ? [] : all(source, /^\s*gem\s*\(?\s*['"]([^'"]+)/gm)
  return manifest(path, isSpec ? 'Ruby gem' : 'Ruby bundle', {
    name:
      one(source, /\.name\s*=\s*['"]([^'"]+)/) ?? one(source, /Gem::Specification\.new\s*\(?\s*['"]([^'"]+)/),
    description: one(source, /\.summary\s*=\s*['"]([^'"]+)/),
    dependencies: [...dependencies([...normal, ...listed], false), ...dependencies(development, true)],
  })
}

/** `CMakeLists.txt`. */
export function readCmake(path: string, source: string): Manifest {
  const code = source.replace(/#.*$/gm, '')
  const programs = all(code, /\badd_executable\s*\(\s*"?([\w.-]+)/gi)
  return manifest(path, 'CMake project', {
    name: one(code, /\bproject\s*\(\s*"?([\w.-]+)/i),
    description: one(code, /\bproject\s*\([^)]*DESCRIPTION\s+"([^"]+)"/i),
    dependencies: dependencies(all(code, /\bfind_package\s*\(\s*([\w.-]+)/gi), false),
    entries: [...new Set(programs)].slice(0, 10).map((target) => ({ what: `program \`${target}\``, target })),
  })
}
