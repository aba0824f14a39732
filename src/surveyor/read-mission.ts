import { areaAskedBy } from './plan-goal.ts'
import type { Aspect } from './report/general-report.ts'
import { isQuestion, isVague, subjectOf, topicsOfQuestion } from './search/question.ts'
import { isForeign } from './search/foreign.ts'
import { hintsOf } from './search/phrases.ts'
import { baseOf } from './search/word-forms.ts'

/** What a mission asks for, as far as a surveyor without a language model can tell. */
export interface Mission {
  /** The mission as given, instructions after it. */
  text: string
  /** A title for the report. */
  title: string
  /** Paths as written, with a slash or a known extension. */
  paths: string[]
  /** Words that say what it is about, as written, without those that every mission has. */
  topics: string[]
  /** What code calls the phrases of a question: words that it does not have itself. */
  hints: string[]
  /** The words of them that name what it is about, without which it has no answer. */
  subject: string[]
  /** Sections of the general survey that it names. */
  aspects: Aspect[]
  /** The area of the repository that a plan gave it. */
  area?: string | undefined
  /** It asks for the repository as a whole. */
  isGeneral: boolean
  /** What it asks for that a survey cannot give, with the reason. */
  cannot: { asked: string; reason: string }[]
  /** It is not written in English, so that nothing of it is understood. */
  isForeign: boolean
  /** Why it is no survey at all; undefined where it is. */
  refusal?: string
}

const CHANGE =
  'fix|implement|update|refactor|rewrite|migrate|remove|delete|rename|upgrade|bump|port|patch|debug|deploy|release|merge|optimi[sz]e|commit|convert|install|add|change|modify|improve|build|create|write|make|develop|code'
const PRODUCT =
  /\b(?:documentation|document|documents|docs?|reports?|diagrams?|overview|map|guide|audit|analysis|summary|description|inventory|survey|list|table|architecture|adr|handbook|introduction|outline|notes|explanation|glossary|walk-?through)\b/i
const CHANGES_FIRST = new RegExp(
  `^(?:please\\s+|can you\\s+|could you\\s+|we need (?:you )?to\\s+|you (?:should|must)\\s+|(?:in|at|inside) \\S+,?\\s+)?(${CHANGE})\\b(.*)`,
  'i',
)
const CHANGE_VERB = new RegExp(`^\\s*(?:please\\s+)?(?:${CHANGE})\\b`, 'i')
const CHANGES_TOO = new RegExp(
  `(?:[,;]|\\b(?:and|then))\\s+(?:then\\s+|also\\s+)?(fix|implement|refactor|rewrite|migrate|remove|delete|rename|upgrade|patch|commit)\\s+(?:it|them|the|all|any|every|this|these|that|what|whatever|bugs?|tests?)\\b[^.;]*`,
  'i',
)

interface Limit {
  asks: RegExp
  /** A question may well be about it. */
  isTopic?: true
  reason: string
  /** What the sentence is about stays a topic: `compare the router with …` is still about the router. */
  keeps?: RegExp
}

const LIMITS: Limit[] = [
  {
    asks: /\b(?:compar\w+|versus|vs\.?|competitors?|alternatives? to|better than)\b/i,
    reason: 'it sees this repository and nothing else',
    keeps: /\bcompare\s+(.*?)(?:\b(?:with|to|against|and)\b|$)/i,
  },
  {
    asks: /\b(?:estimat\w+|costs? of|effort|how (?:long|much) (?:would|will)|man-?days|story points|roi)\b/i,
    isTopic: true,
    reason: 'no figure in the code or its history says what work costs',
  },
  {
    asks: /\b(?:vulnerabilit\w+|CVEs?|security (?:audit|review|risks?|holes?|issues?|flaws?|problems?|bugs?|leaks?|weakness\w*)|(?:in)?secure|penetration)\b/i,
    reason: 'to judge security takes understanding, or a database of known flaws, and it has neither',
    keeps: /\b(?:of|in|for)\s+(.*)$/i,
  },
  { asks: /\btranslate\b/i, reason: 'it writes English only' },
  {
    asks: /^(?!.*\bhow\b).*\b(?:run|execute|measure|profile|benchmark)\s+(?:the|all|our|its)\b|\b(?:load test|performance (?:test|numbers|figures))/i,
    reason: 'it reads and never runs the code',
  },
  {
    asks: /\b(?:recommend\w*|should we|what would you|best practices?|opinion|quality of|how good|is it good|rate the)\b/i,
    reason: 'it has no judgement of its own; what it counts has to speak',
    keeps: /\b(?:of|for|about|on)\s+(.*)$/i,
  },
  {
    asks: /\b(?:interview\w*|ask the (?:team|users|authors|customers)|(?:user|market) research|market analysis|customers? (?:want|need|think|say))\b/i,
    reason: 'it knows only what stands in the repository',
  },
  {
    asks: /\b(?:predict\w*|forecast\w*|roadmap)\b/i,
    reason: 'the repository tells what was, not what will be',
  },
  {
    isTopic: true,
    asks: /\b(?:slides?|powerpoint|pdf|docx|png|video)\b/i,
    reason: 'it writes one Markdown document with Mermaid diagrams',
    keeps: /\b(?:of|for|about|on)\s+(.*)$/i,
  },
  {
    asks: /\b(?:latest versions?|on the internet|web search|look up online|on github|pull requests)\b/i,
    reason: 'it looks at nothing beyond the files and commits of this repository',
  },
]
const IN_ANOTHER_LANGUAGE =
  /\b(?:in|into|auf|en)\s+(?:German|French|Spanish|Italian|Portuguese|Japanese|Chinese|Korean|Russian|Dutch|Polish|Czech|Turkish|Arabic|Hindi|Swedish|Deutsch|français|español)\b/i
// A mission in another language cannot be read: its small words would be taken for topics.
const FOREIGN =
  /^\s*(?:beschreib|dokumentier|erklär|analysier|décri|expliqu|documentez|describa|explica|descriv|spiega)\w*|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Arabic}]{2}/iu
const CLAUSE =
  /(?<=[.;!?\n,])\s+|\s+(?:and|then|but)\s+(?=(?:then\s+|also\s+)?(?:estimate|compare|translate|run|execute|measure|profile|benchmark|recommend|predict|interview|judge|rate|propose|suggest|tell|say)\b)/i

const ASPECT_WORDS: [RegExp, Aspect][] = [
  [/\b(?:import |circular |dependency )?(?:cycles?|circular|cyclic)\b/i, 'cycles'],
  [
    /\b(?:external|third[- ]party|declared|outdated|unused)\s+(?:dependenc\w+|packages?|libraries)\b|\bdependenc(?:y|ies)\b(?! (?:injection|graph|map|between|cycle))|\blibraries\b/i,
    'dependencies',
  ],
  [/\b(?:untested|test coverage|tests?|test suite|testing|coverage)\b/i, 'tests'],
  [
    /\b(?:what (?:has )?changed|recent(?:ly)?(?: changed?s?| commits?)?|hot ?spots?|churn|change history|history|who changes|ownership|authors?|bus factor|commits?)\b/i,
    'change',
  ],
  [/\b(?:entry points?|entrypoints?|commands? it (?:has|offers)|how it (?:is )?starts?)\b/i, 'entries'],
  [
    /\b(?:(?:public |exported )?apis?(?! (?:keys?|calls?|tokens?|requests?|servers?))|(?:public|exported) (?:interface|symbols|functions|classes|types)|exports)\b/i,
    'api',
  ],
  [
    /\b(?:director(?:y|ies)|folders?|layout|file structure|folder structure|project structure)\b/i,
    'directories',
  ],
  [
    /\b(?:module graph|dependency (?:graph|map)|dependencies between|modules|diagrams?|layers|layering|coupling)\b/i,
    'map',
  ],
  [/\b(?:core modules?|most important|key modules?|most used|depended[- ]on)\b/i, 'core'],
  [/\b(?:languages?|sizes?|lines of code|loc|tech(?:nology)? stack)\b/i, 'what'],
]

// Words that tell how to write, not what about.
const COMMON = new Set(
  (
    'a an the this that these those it its and or but of in on at to for from by with without into onto over under as is are was were be been being do does did done can could should would ' +
    'will shall may might must have has had not no nor so than then there here where when which who whom whose what why how if else while each every all any some more most much many few ' +
    'other another such only own same too very just also about above below between through during before after again our we us you your me my their them they he she i please show tell give ' +
    'document documents documentation documented describe description explain explanation report reports reporting write writing written analyse analyze analysis survey study review audit map list ' +
    'outline summarise summarize summary overview present produce create make draw find identify understand learn investigate examine inspect look cover include including focus ' +
    'architecture architectural structure structured design code codebase repository repo project system software source application app works work working used using uses use useful ' +
    'new engineer engineers developer developers reader readers newcomer newcomers maintainers markdown mermaid diagram diagrams section sections attention pay especially particular particularly ' +
    'detail details detailed short brief briefly full whole complete entire everything thing things part parts way ways well good clear clearly important main key kind kinds example examples ' +
    'implemented implementation implement implements happens happen handled handles handle get gets got let need needs want wants goes go put run runs file files function functions class classes ' +
    'between across inside within related involved responsible concerning regarding currently exactly really actually first last next step steps one two three layer component current change changes changed pages page'
  ).split(' '),
)
const WHOLE =
  /\b(?:this|the|our|whole|entire|full|of)\s+(?:\w+\s+)?(?:repository|repo|codebase|code base|project|system|software|application|library|program)\b|\boverview\b|\beverything\b|^\W*(?:document|describe|survey|map|explain)\s+(?:the\s+)?(?:overall\s+)?architecture\W*$|\boverall\b|\bthe architecture\b(?!\s+of\b)/i
const PATH =
  /(?<![\w/.@-])(?:\.{1,2}\/)?(?:[\w@.+-]+\/)+[\w@.+-]*\w\/?|(?<![\w/.@-])[\w-]+(?:\.[\w-]+)*\.(?:tsx?|jsx?|mjs|cjs|mts|cts|pyi?|go|rs|java|cs|cpp|cc|cxx|hpp|hh|h|c|rb|php|md|json|ya?ml|toml|xml|gradle|sh|sql|css|html)(?![\w/])/g

/** Reads a mission and the instructions that came after it. */
export function readMission(
  subject: string,
  body: string,
  instructions: readonly { subject: string; body: string }[] = [],
): Mission {
  const main = body.trim() === '' ? subject.trim() : body.trim()
  const text = [
    main,
    ...instructions.map((instruction) =>
      (instruction.body.trim() === '' ? instruction.subject : instruction.body).trim(),
    ),
  ].join('\n\n')
  const refusal = refusalOf(main)
  const isOther = FOREIGN.test(main) || isForeign(main)
  const { cannot, rest } = isOther
    ? {
        cannot: [{ asked: main, reason: 'it reads English only, so this is the general survey' }],
        rest: 'the whole repository',
      }
    : setLimits(text)
  const paths = [
    ...new Set(
      Array.from(rest.replace(/`/g, ' ').matchAll(PATH), ([path]) =>
        path.replace(/^\.\//, '').replace(/\/$/, ''),
      ),
    ),
  ].filter(
    (path) =>
      !/^(?:and|or|either|input|read|client|he|his|yes|true|pros?)\/\w+$/i.test(path) || path.includes('.'),
  )
  const wording = paths.reduce((words, path) => words.replaceAll(path, ' '), rest)
  const aspects = [
    ...new Set(ASPECT_WORDS.flatMap(([pattern, aspect]) => (pattern.test(wording) ? [aspect] : []))),
  ]
  const spoken = ASPECT_WORDS.reduce(
    (words, [pattern]) => words.replace(new RegExp(pattern.source, 'gi'), ' '),
    wording,
  )
  const asksFor = spoken.replace(CHANGE_VERB, ' ')
  const quoted = quotedNames(rest, paths)
  const asked = isQuestion(main) && !isOther ? topicsOfQuestion(wording) : []
  // what names a section of the survey is a topic where it is asked about with others
  const isAsked =
    aspects.length === 0
      ? asked.length > 0
      : asked.some((word) => !isVague(word) && topicsOf(asksFor, []).includes(word))
  return {
    text,
    area: areaAskedBy(main),
    title: titleOf(main),
    paths,
    topics: isAsked ? [...new Set([...quoted, ...asked])] : topicsOf(asksFor, quoted),
    hints: isAsked ? hintsOf(wording) : [],
    subject: subjectOf(isAsked ? wording : asksFor),
    aspects: isAsked ? [] : aspects,
    isGeneral: WHOLE.test(rest),
    isForeign: isOther,
    cannot,
    ...(refusal === undefined ? {} : { refusal }),
  }
}

const clean = (text: string): string =>
  text
    .replace(/^[\s,;:.-]+|[\s,;:.-]+$/g, '')
    .replace(/^(?:and|then|also|but)\s+/i, '')
    .replace(/\s+/g, ' ')

/** Separates what a survey cannot give from what is left of the text. */
function setLimits(text: string): { cannot: Mission['cannot']; rest: string } {
  const cannot: Mission['cannot'] = []
  let whole = text
  const language = IN_ANOTHER_LANGUAGE.exec(text)
  if (language !== null) {
    cannot.push({ asked: clean(language[0]), reason: 'it writes English only' })
    whole = whole.replace(language[0], ' ')
  }
  const change = CHANGES_TOO.exec(whole)
  if (change !== null) {
    cannot.push({ asked: clean(change[0]), reason: 'it studies code and never changes it' })
    whole = whole.replace(change[0], ' ')
  }
  const clauses = whole.split(CLAUSE).map((clause) => {
    const limit = LIMITS.find(({ asks, isTopic }) => asks.test(clause) && !(isTopic && isQuestion(text)))
    if (limit === undefined) return clause
    cannot.push({ asked: clean(clause), reason: limit.reason })
    return limit.keeps?.exec(clause)?.[1] ?? ''
  })
  return { cannot, rest: clauses.join(' ') }
}

function refusalOf(main: string): string | undefined {
  const [, verb, rest] = CHANGES_FIRST.exec(main.split(/[.;](?=\s|$)|\n/)[0]?.trim() ?? '') ?? []
  if (verb === undefined || rest === undefined) return undefined
  // “Write a report”, “create a diagram”, “build an overview” ask for a document.
  if (
    /^(?:write|create|make|build|add|develop|improve)$/i.test(verb) &&
    PRODUCT.test(rest.split(/\s+/).slice(0, 8).join(' '))
  )
    return undefined
  return `it asks to change code (“${verb.toLowerCase()}”)`
}

/** Identifiers in backticks that are no paths. */
const quotedNames = (text: string, paths: readonly string[]): string[] =>
  Array.from(text.matchAll(/`([\p{L}_$][\p{L}\p{N}_$]*)(?:\(\))?`/gu), (match) => match[1] ?? '').filter(
    (name) => !paths.includes(name),
  )

/** Topic words in the order of the mission, each stem once; identifiers stay whole as well. */
function topicsOf(text: string, named: readonly string[]): string[] {
  // What stands in backticks is meant as it stands, even where it is one of the words that every mission has.
  const found = new Map(named.map((name) => [baseOf(name), name]))
  for (const [token] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$-]*/gu)) {
    const word = token.replace(/^[-_]+|[-_]+$/g, '')
    const lower = word.toLowerCase()
    if (word.length < 3 && !/^[A-Z]{2}$/.test(word)) continue
    if (COMMON.has(lower) || COMMON.has(lower.replace(/s$/, ''))) continue
    if (!found.has(baseOf(word))) found.set(baseOf(word), word)
  }
  return [...found.values()].slice(0, 24)
}

function titleOf(main: string): string {
  const sentence = (/^[^.?!\n]+(?:[.?!](?=\S)[^.?!\n]*)*/.exec(main.trim())?.[0] ?? main).trim()
  const topic = sentence.replace(
    /^(?:please\s+)?(?:explain|describe|document|show|tell(?: me)?|find out|write (?:a|an) (?:report|document|overview) (?:on|about|of)|analy[sz]e|investigate)\s+(?:me\s+|us\s+)?/i,
    '',
  )
  const short = topic.length > 90 ? `${topic.slice(0, 90).replace(/\s+\S*$/, '')} …` : topic
  // A path or an identifier at the beginning stays as it is.
  return /^\S*[./_]\S|^\S*[a-z][A-Z]/.test(short) ? short : short.charAt(0).toUpperCase() + short.slice(1)
}
